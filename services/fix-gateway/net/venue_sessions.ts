/**
 * Owns how a venue's sessions are made for its acceptor: each with its own settings, dictionary, store and log. No I/O
 * of its own.
 */
import { FIX44, type FixMessage, FixWriter } from "../../../shared/codec/fix/mod.ts";
import { DEFAULT_FIX_SETTINGS } from "../../../shared/protocol/mod.ts";
import { dictionaryCheck, MemoryStore, Session } from "../session/mod.ts";
import type { AcceptorOptions } from "./acceptor.ts";

/** Every session of the venue, by id. */
export function openSessions(options: AcceptorOptions): ReadonlyMap<number, Session> {
  const { venue, limits, clock, log, plainAnswers } = options;
  const adminWriter = new FixWriter();
  return new Map(venue.sessions.map((config) => {
    const { userDefinedFields } = config.settings ?? DEFAULT_FIX_SETTINGS;
    const dictionary = options.dictionaryOf?.(config) ?? FIX44;
    const session = new Session({
      config,
      venueCompId: venue.targetCompId,
      role: "acceptor",
      limits,
      clock,
      log,
      store: options.storeOf?.(config) ?? new MemoryStore(),
      validate: dictionaryCheck(dictionary, userDefinedFields, limits.maxGroupEntries),
      dataLengthTags: dictionary.dataLengthTags,
      adminWriter,
      plainAnswers,
      tap: options.tapOf?.(config),
    });
    return [config.id, session];
  }));
}

/** Indexes a message by the session's own dictionary, once it is known whose it is. */
export function readAs(
  message: FixMessage,
  session: Session,
  bytes: Uint8Array,
  start: number,
  end: number,
): void {
  message.dataLengthTags = session.state.setup.dataLengthTags ?? FIX44.dataLengthTags;
  message.parse(bytes, start, end);
}
