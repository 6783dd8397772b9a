/** Snapshots of a shard: what a matcher starts from, and what lets its commands be purged (docs/snapshots.md). */
export { SnapshotDuty, type SnapshotDutyOptions, snapshotInterval, snapshotThread } from "./duty.ts";
export { natsCommandLog } from "./nats_command_log.ts";
export { NatsSnapshotStore } from "./nats_snapshot_store.ts";
export { type RestoredEngine, restoreEngine, type RestoreOptions } from "./restore.ts";
export { engineRulesDigest } from "./rules_digest.ts";
export { type CommandMark, commandMark, loadSnapshot, snapshotBound, writeSnapshot } from "./snapshot.ts";
export { SnapshotTaker, type TakerOptions } from "./taker.ts";
