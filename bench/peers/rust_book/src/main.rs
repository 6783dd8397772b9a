//! Plays a flow file (bench/peers/flow_file.ts has its layout) into a lobster order book and prints one line of JSON:
//! commands per second, the best round of each slice counted; times of single commands; trades and lots traded.

use lobster::{OrderBook, OrderEvent, OrderType, Side};
use std::hint::black_box;
use std::time::Instant;

const SLICES: usize = 40;
const ORDERS: usize = 1 << 16;
const QUEUE: usize = 64;
const HEADER_BYTES: usize = 16;
const RECORD_BYTES: usize = 32;
const CANCEL: u8 = 2;
const MARKET: u8 = 3;

fn number(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

fn small(bytes: &[u8], at: usize) -> u64 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as u64
}

fn command(record: &[u8]) -> OrderType {
    let id = number(record, 0) as u128;
    let side = if record[27] == 1 { Side::Bid } else { Side::Ask };
    let (price, qty) = (small(record, 16), small(record, 20));
    match record[26] {
        CANCEL => OrderType::Cancel { id: number(record, 8) as u128 },
        MARKET => OrderType::Market { id, side, qty },
        _ => OrderType::Limit { id, side, qty, price },
    }
}

#[derive(Default)]
struct Traded {
    trades: u64,
    lots: u64,
}

fn apply(book: &mut OrderBook, order: OrderType, traded: &mut Traded) {
    match black_box(book.execute(order)) {
        OrderEvent::Filled { filled_qty, fills, .. } | OrderEvent::PartiallyFilled { filled_qty, fills, .. } => {
            traded.trades += fills.len() as u64;
            traded.lots += filled_qty;
        }
        _ => {}
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let path = args.next().expect("flow file");
    let rounds: usize = args.next().expect("rounds").parse().expect("rounds");
    let bytes = std::fs::read(path).expect("read the flow file");
    let fill = small(&bytes, 0) as usize;
    let orders: Vec<OrderType> = bytes[HEADER_BYTES..].chunks_exact(RECORD_BYTES).map(command).collect();
    let measured = orders.len() - fill;
    let mut best = [f64::INFINITY; SLICES];
    let mut traded = Traded::default();
    for _ in 0..rounds {
        let mut book = OrderBook::new(ORDERS, QUEUE, false);
        traded = Traded::default();
        for order in &orders[..fill] {
            apply(&mut book, *order, &mut traded);
        }
        for (slice, least) in best.iter_mut().enumerate() {
            let from = fill + measured * slice / SLICES;
            let to = fill + measured * (slice + 1) / SLICES;
            let start = Instant::now();
            for order in &orders[from..to] {
                apply(&mut book, *order, &mut traded);
            }
            *least = least.min(start.elapsed().as_secs_f64());
        }
    }
    let mut book = OrderBook::new(ORDERS, QUEUE, false);
    let mut times: Vec<u128> = Vec::with_capacity(measured);
    let mut again = Traded::default();
    for (i, order) in orders.iter().enumerate() {
        let start = Instant::now();
        apply(&mut book, *order, &mut again);
        if i >= fill {
            times.push(start.elapsed().as_nanos());
        }
    }
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "{{\"perSecond\":{:.0},\"p50\":{},\"p99\":{},\"p999\":{},\"max\":{},\"trades\":{},\"lots\":{}}}",
        measured as f64 / best.iter().sum::<f64>(),
        at(0.5),
        at(0.99),
        at(0.999),
        at(1.0),
        traded.trades,
        traded.lots
    );
}
