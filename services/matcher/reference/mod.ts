/** The naive engine that the fast one is compared with. Pure. */
export { allocate, type Candidate } from "./allocation.ts";
export { isOpen, leavesOf, limitOf, type RefOrder } from "./order.ts";
export { isCallPhase, type RefMarket } from "./market.ts";
export { ReferenceEngine } from "./reference_engine.ts";
