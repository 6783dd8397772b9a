/** The naive engine that the fast one is compared with. Pure. */
export { allocate } from "./allocation.ts";
export { ReferenceEngine } from "./reference_engine.ts";
