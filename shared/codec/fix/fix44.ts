/** The dictionary that this venue speaks, loaded: FIX 4.4 as published and the venue's own fields. Pure. */
import { Dictionary } from "./dictionary.ts";
import type { DictionaryTable } from "./dictionary_table.ts";
import { FIX44_TABLE } from "./fix44_table.ts";
import { extended, VENUE_EXTENSION } from "./venue_extension.ts";

/** What {@link FIX44} is loaded from. */
export const VENUE_TABLE: DictionaryTable = extended(FIX44_TABLE, VENUE_EXTENSION);

/** FIX 4.4, every field, message, component and group, and the fields of {@link VENUE_EXTENSION} in requests. */
export const FIX44: Dictionary = new Dictionary(VENUE_TABLE);
