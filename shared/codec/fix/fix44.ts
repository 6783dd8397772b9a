/** The FIX 4.4 dictionary, loaded. Pure. */
import { Dictionary } from "./dictionary.ts";
import { FIX44_TABLE } from "./fix44_table.ts";

/** FIX 4.4: every field, message, component and group. */
export const FIX44: Dictionary = new Dictionary(FIX44_TABLE);
