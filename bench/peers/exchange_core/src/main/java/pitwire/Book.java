package pitwire;

import exchange.core2.collections.objpool.ObjectsPool;
import exchange.core2.core.common.CoreSymbolSpecification;
import exchange.core2.core.common.MatcherEventType;
import exchange.core2.core.common.MatcherTradeEvent;
import exchange.core2.core.common.OrderAction;
import exchange.core2.core.common.OrderType;
import exchange.core2.core.common.SymbolType;
import exchange.core2.core.common.cmd.CommandResultCode;
import exchange.core2.core.common.cmd.OrderCommand;
import exchange.core2.core.common.cmd.OrderCommandType;
import exchange.core2.core.common.config.LoggingConfiguration;
import exchange.core2.core.orderbook.IOrderBook;
import exchange.core2.core.orderbook.OrderBookDirectImpl;
import exchange.core2.core.orderbook.OrderBookEventsHelper;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;

/**
 * Plays a flow file (bench/peers/flow_file.ts has its layout) into exchange-core's OrderBookDirectImpl on one thread
 * and prints one line of JSON: commands per second, the best round of each slice counted; times of single commands;
 * trades and lots traded. No risk engine, no ring buffer: what exchange-core does on its matching thread.
 */
public final class Book {
  private static final int SLICES = 40;
  private static final int HEADER_BYTES = 16;
  private static final int RECORD_BYTES = 32;
  private static final int CANCEL = 2;
  private static final int MARKET = 3;
  private static final int MOVE = 4;

  private final ByteBuffer flow;
  private final OrderCommand command = new OrderCommand();
  private IOrderBook book;
  private long trades;
  private long lots;

  private Book(ByteBuffer flow) {
    this.flow = flow;
    command.marketData = null;
  }

  private void open() {
    CoreSymbolSpecification symbol = CoreSymbolSpecification.builder()
        .symbolId(1)
        .type(SymbolType.CURRENCY_EXCHANGE_PAIR)
        .baseCurrency(1)
        .quoteCurrency(2)
        .baseScaleK(1)
        .quoteScaleK(1)
        .build();
    book = new OrderBookDirectImpl(
        symbol,
        ObjectsPool.createDefaultTestPool(),
        OrderBookEventsHelper.NON_POOLED_EVENTS_HELPER,
        LoggingConfiguration.DEFAULT);
    trades = 0;
    lots = 0;
  }

  private void apply(int index) {
    int at = HEADER_BYTES + index * RECORD_BYTES;
    OrderCommand each = command;
    int kind = flow.get(at + 26);
    long id = flow.getLong(at);
    boolean isBuy = flow.get(at + 27) == 1;
    each.symbol = 1;
    each.uid = 1;
    each.matcherEvent = null;
    each.action = isBuy ? OrderAction.BID : OrderAction.ASK;
    each.timestamp = index;
    if (kind == CANCEL) {
      each.command = OrderCommandType.CANCEL_ORDER;
      each.orderId = flow.getLong(at + 8);
    } else if (kind == MOVE) {
      each.command = OrderCommandType.MOVE_ORDER;
      each.orderId = flow.getLong(at + 8);
      each.price = flow.getInt(at + 16);
    } else {
      boolean isMarket = kind == MARKET;
      each.command = OrderCommandType.PLACE_ORDER;
      each.orderType = isMarket ? OrderType.IOC : OrderType.GTC;
      each.orderId = id;
      each.price = isMarket ? (isBuy ? Integer.MAX_VALUE : 1) : flow.getInt(at + 16);
      each.reserveBidPrice = Integer.MAX_VALUE;
      each.size = flow.getInt(at + 20);
    }
    each.resultCode = CommandResultCode.VALID_FOR_MATCHING_ENGINE;
    each.resultCode = IOrderBook.processCommand(book, each);
    for (MatcherTradeEvent event = each.matcherEvent; event != null; event = event.nextEvent) {
      if (event.eventType != MatcherEventType.TRADE) continue;
      trades++;
      lots += event.size;
    }
  }

  private void apply(int from, int to) {
    for (int i = from; i < to; i++) apply(i);
  }

  public static void main(String[] args) throws Exception {
    ByteBuffer flow = ByteBuffer.wrap(Files.readAllBytes(Paths.get(args[0]))).order(ByteOrder.LITTLE_ENDIAN);
    int rounds = Integer.parseInt(args[1]);
    int fill = flow.getInt(0);
    int total = flow.getInt(4);
    int measured = total - fill;
    Book peer = new Book(flow);
    double[] best = new double[SLICES];
    Arrays.fill(best, Double.MAX_VALUE);
    for (int round = 0; round < rounds; round++) {
      peer.open();
      peer.apply(0, fill);
      for (int slice = 0; slice < SLICES; slice++) {
        int from = fill + (int) ((long) measured * slice / SLICES);
        int to = fill + (int) ((long) measured * (slice + 1) / SLICES);
        long start = System.nanoTime();
        peer.apply(from, to);
        best[slice] = Math.min(best[slice], (System.nanoTime() - start) / 1e9);
      }
    }
    long trades = peer.trades;
    long lots = peer.lots;
    peer.open();
    peer.apply(0, fill);
    long[] times = new long[measured];
    for (int i = 0; i < measured; i++) {
      long start = System.nanoTime();
      peer.apply(fill + i);
      times[i] = System.nanoTime() - start;
    }
    Arrays.sort(times);
    System.out.printf(
        "{\"perSecond\":%d,\"p50\":%d,\"p99\":%d,\"p999\":%d,\"max\":%d,\"trades\":%d,\"lots\":%d}%n",
        Math.round(measured / Arrays.stream(best).sum()),
        times[(int) (measured * 0.5)],
        times[(int) (measured * 0.99)],
        times[(int) (measured * 0.999)],
        times[measured - 1],
        trades,
        lots);
  }
}
