/**
 * Owns the message logs of a gateway: one file per session, in which every message stands as it crossed the wire, secrets
 * masked. Off unless a folder is given. Writes behind; what waits for the disk is bounded.
 */
import { join } from "node:path";
import type { Logger } from "../../../shared/cli/log.ts";
import { FixMessage } from "../../../shared/codec/fix/mod.ts";
import type { FixSession } from "../../../shared/protocol/mod.ts";
import type { MessageTap } from "../session/mod.ts";
import { diskFiles, makeLogFolder } from "./disk_files.ts";
import { messageLine, noteLine } from "./line.ts";
import { type LogBounds, type LogFiles, RotatingFile } from "./rotating_file.ts";

/** 64 MiB a file, eight put aside, 4 MiB of lines that wait. */
const DEFAULT_BOUNDS: LogBounds = {
  maxFileBytes: 64 * 1024 * 1024,
  keptFiles: 8,
  maxWaitingBytes: 4 * 1024 * 1024,
};

/** What logs are made from. */
export interface MessageLogsOptions {
  /** Made when missing. */
  readonly folder: string;
  readonly targetCompId: string;
  /** Part of the names, since two gateways may log the same session. */
  readonly gatewayId: number;
  readonly wallMs: () => number;
  readonly log: Logger;
  readonly bounds?: LogBounds;
  readonly files?: LogFiles;
}

/** The logs of one gateway. */
export class MessageLogs {
  readonly #options: MessageLogsOptions;
  readonly #files: RotatingFile[] = [];

  /** Throws an Error with one sentence when the folder cannot be made. */
  constructor(options: MessageLogsOptions) {
    this.#options = options;
    if (options.files === undefined) makeLogFolder(options.folder);
  }

  /** The log of one session; its file is made with the first line. CompIDs are letters, digits, "_" and "-". */
  tapOf({ senderCompId }: FixSession): MessageTap {
    const { folder, targetCompId, gatewayId, wallMs, log } = this.#options;
    const path = join(folder, `FIX.4.4-${targetCompId}-${senderCompId}.gateway-${gatewayId}.log`);
    const file = new RotatingFile(
      path,
      this.#options.bounds ?? DEFAULT_BOUNDS,
      this.#options.files ?? diskFiles,
      {
        lostLine: (lines) =>
          noteLine(wallMs(), `${lines} ${lines === 1 ? "line" : "lines"} lost: the disk did not keep up`),
        failed: (at, error) => log.warn("messages cannot be logged", { file: at, error }),
        delay: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      },
    );
    this.#files.push(file);
    return new FileTap(file, wallMs);
  }

  /** Writes what waits, for a limited time. */
  async close(): Promise<void> {
    await Promise.all(this.#files.map((file) => file.close()));
  }
}

/** What we send has fewer fields; more are not looked at for secrets, which stand at a Logon's front. */
const MAX_SENT_FIELDS = 4096;

class FileTap implements MessageTap {
  readonly #file: RotatingFile;
  readonly #wallMs: () => number;

  constructor(file: RotatingFile, wallMs: () => number) {
    this.#file = file;
    this.#wallMs = wallMs;
  }

  received(message: FixMessage): void {
    this.#file.append(messageLine(this.#wallMs(), "IN", message));
  }

  sent(bytes: Uint8Array): void {
    sentMessage.parse(bytes, 0, bytes.length);
    this.#file.append(messageLine(this.#wallMs(), "OUT", sentMessage));
  }

  garbled(fault: string): void {
    this.#file.append(noteLine(this.#wallMs(), `received garbled bytes: ${fault}`));
  }
}

/** View of the message being sent; one serves all. */
const sentMessage = new FixMessage(MAX_SENT_FIELDS);
