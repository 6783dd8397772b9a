/** The venue file: reading, validating and the Venue that results. */
export { loadDictionaries, loadDictionary, parseDictionary } from "./fix_dictionary.ts";
export { loadVenue, parseAndCopyVenue, parseVenue, readVenueFile } from "./load.ts";
export { ConfigError } from "./problems.ts";
export { type ChangeRemedies, findChange, type Reference, referenceOf, saysNothingNew } from "./reference.ts";
export type { Durability, Venue, VenueLimits } from "./venue.ts";
