/** The least that a venue file may say. Test code only. Pure. */

/** A sound venue file: one firm, one instrument, one session. */
export const BARE_VENUE = `name: v
targetCompId: X
firms: [{ id: 1, name: A }]
instruments:
  - { id: 1, symbol: S, algorithm: F, tick: "0.05", priceScale: 2, lot: "10", qtyScale: 0, maxOrderQty: "1000" }
sessions:
  - { id: 1, senderCompId: T, firm: A, role: trading, username: u, password: p }
`;
