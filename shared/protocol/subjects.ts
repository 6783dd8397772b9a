/** NATS subject and stream names (one place, so that no service spells one itself). Pure. */

/** The stream of commands of a shard: the write-ahead log. */
export const cmdStream = (shard: number): string => `CMD_${shard}`;
/** Commands for one symbol; `_` stands for those that concern all of the shard or no listed one. */
export const cmdSubject = (shard: number, symbol: string): string => `cmd.${shard}.${symbol}`;
/** The subject token of commands that concern all symbols of a shard, or no listed one. */
export const NO_SYMBOL = "_";
/** The stream of event batches of a shard, written by its matcher alone. */
export const evStream = (shard: number): string => `EV_${shard}`;
/** Event batches caused by commands for one symbol. */
export const evSubject = (shard: number, symbol: string): string => `ev.${shard}.${symbol}`;
/** Claims of leadership: messages of EV_s like its batches, apart so that a leader hears of the next one at once. */
export const claimSubject = (shard: number): string => `ev.${shard}._claim`;
/** Event batches sent straight to gateways, not stored (docs/adr, direct events). */
export const liveSubject = (shard: number): string => `live.${shard}`;
/** The stream that keeps the last market-data message of each subject. */
export const mdStream = (shard: number): string => `MD_${shard}`;
/** Conflated top-10 book of a symbol, JSON. */
export const bookSubject = (shard: number, symbol: string): string => `md.${shard}.${symbol}.book`;
/** Trades of a symbol, JSON. */
export const tradeSubject = (shard: number, symbol: string): string => `md.${shard}.${symbol}.trade`;
/** The trading phase of a symbol and what its auction would trade, JSON. */
export const phaseSubject = (shard: number, symbol: string): string => `md.${shard}.${symbol}.phase`;
/** Copies of a firm's execution reports, JSON. */
export const dropSubject = (firm: string): string => `drop.${firm}`;
/** Request to a shard's matcher for its full depth; the reply is docs/wire.md, "Depth image". */
export const depthRequestSubject = (shard: number): string => `matcher.${shard}.depth`;
/** Request to a shard's matcher: whether it has replayed and follows the stream; the reply is JSON. */
export const matcherStatusSubject = (shard: number): string => `matcher.${shard}.status`;
/** Request to a shard's matcher for the state of its instruments; the reply is JSON. */
export const instrumentsRequestSubject = (shard: number): string => `matcher.${shard}.instruments`;
/** Requests of operators to a shard's matcher, JSON both ways (docs/wire.md, "Control of a matcher"). */
export const controlSubject = (shard: number): string => `matcher.${shard}.control`;
/** Request to a shard's matcher: whether somebody leads; the reply is JSON. Standbys ask all the time. */
export const aliveSubject = (shard: number): string => `matcher.${shard}.alive`;
/** Request to a shard's standby: how far it follows; the reply is JSON. */
export const standbySubject = (shard: number): string => `matcher.${shard}.standby`;
/** Request to a shard's leader: let the standby lead; the reply is JSON. */
export const handoverSubject = (shard: number): string => `matcher.${shard}.handover`;
/** The leader's request to its standby: lead from here on; the reply is JSON. */
export const takeOverSubject = (shard: number): string => `matcher.${shard}.takeover`;
/** State hashes that a shard's leader tells, for its standby to compare, JSON. */
export const hashSubject = (shard: number): string => `matcher.${shard}.hash`;
/** KV bucket of reference data and gateway boot numbers. */
export const REF_BUCKET = "ref";
/** Object store of the shards' snapshots. */
export const SNAPSHOT_BUCKET = "snap";
/** The snapshot of a shard that includes its commands up to `cmdSeq`. */
export const snapshotName = (shard: number, cmdSeq: number): string => `${shard}.${cmdSeq}`;
/** Key of {@link REF_BUCKET}: which snapshots of a shard are verified, JSON. */
export const snapshotKey = (shard: number): string => `snapshot.${shard}`;
/** KV bucket of FIX session records: owner, numbers, progress. */
export const SESSION_BUCKET = "session";
/** KV bucket of leases; a key that is not refreshed goes after {@link LEASE_MS}. */
export const LEASE_BUCKET = "lease";
/** How long a lease lasts, ms. */
export const LEASE_MS = 3000;
/** Requests of administrators to a gateway; the reply is JSON. */
export const gatewayAdminSubject = (gatewayId: number): string => `gateway.${gatewayId}.admin`;
/** The stream of what operators changed. */
export const AUDIT_STREAM = "AUDIT";
/** Changes of one FIX session. */
export const auditSubject = (sessionId: number): string => `audit.session.${sessionId}`;
/** Phases, algorithms and mass cancels that operators asked a shard's matcher for. */
export const venueAuditSubject = (shard: number): string => `audit.venue.${shard}`;
/** The stream of sent FIX application messages, for resends. */
export const FIX_OUT_STREAM = "FIXOUT";
/** Sent messages of one session. */
export const fixOutSubject = (sessionId: number): string => `fix.out.${sessionId}`;
