/**
 * One child process with its output read line by line. It runs in a process group of its own, so that Ctrl-C in a
 * terminal reaches the supervisor alone and the children can be drained in order.
 */
import { createLogger, type Logger, type LogLevel } from "../../shared/cli/log.ts";
import { write } from "../../shared/cli/output.ts";

/** What to run. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the inherited environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** How a child ended. */
export interface Ending {
  readonly code: number;
  readonly signal: string | null;
}

/** A log line in the words of another program, made into one of ours. */
export interface ForeignLine {
  readonly level: LogLevel;
  readonly message: string;
}

const MAX_LINE_CHARS = 8192;

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") yield line.trimEnd();
    if (rest.length > MAX_LINE_CHARS) {
      yield rest;
      rest = "";
    }
  }
  if (rest.trim() !== "") yield rest;
}

/** A line of no known format: an error when it says so, as Deno's own do, else a warning. */
function parsePlainLine(line: string): ForeignLine {
  const error = /^error: (.*)$/.exec(line);
  return error === null ? { level: "warn", message: line } : { level: "error", message: error[1] };
}

/** The message of a structured line, or null when the line is not one of ours. */
function structured(line: string): { level: string; msg: string } | null {
  if (!line.startsWith("{")) return null;
  try {
    const { level, msg } = JSON.parse(line);
    return typeof level === "string" && typeof msg === "string" ? { level, msg } : null;
  } catch {
    return null;
  }
}

/** Where a child's lines go. */
export interface ChildOutput {
  /** Lines that are already structured pass through unchanged. */
  readonly stderr: (line: string) => void;
  /** Everything else the child says. */
  readonly log: Logger;
  /** Reads the program's own log format; by default a line is a warning. */
  readonly foreign?: (line: string) => ForeignLine;
  /** Whether the program is of no use any more once it has said this: it is killed. */
  readonly isLast?: (line: string) => boolean;
  /** Each line of standard output. */
  readonly onStdout: (line: string) => void;
}

/** A running child. */
export class Child {
  readonly #process: Deno.ChildProcess;
  /** When the child has ended and everything it said has been read. Never rejects. */
  readonly ended: Promise<Ending>;
  /** The latest complaint on standard error, as one sentence; empty when there was none. */
  complaint = "";

  /** Starts the program. Throws when it cannot be started. */
  constructor(launch: Launch, output: ChildOutput) {
    this.#process = new Deno.Command(launch.command, {
      args: [...launch.args],
      env: { ...launch.env },
      cwd: launch.cwd,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      detached: true,
    }).spawn();
    this.ended = this.#follow(output);
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** Sends a signal; a child that has ended already is left alone. */
  signal(signal: Deno.Signal): void {
    try {
      this.#process.kill(signal);
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof Deno.errors.NotFound)) throw error;
    }
  }

  /** Asks the child to end, and kills it when it has not ended after `limitMs`. True when it ended by itself. */
  async stop(limitMs: number): Promise<boolean> {
    this.signal("SIGTERM");
    let killed = false;
    const timer = setTimeout(() => {
      killed = true;
      this.signal("SIGKILL");
    }, limitMs);
    await this.ended;
    clearTimeout(timer);
    return !killed;
  }

  async #follow(output: ChildOutput): Promise<Ending> {
    const [status] = await Promise.all([
      this.#process.status,
      this.#readStdout(output),
      this.#readStderr(output),
    ]);
    return { code: status.code, signal: status.signal };
  }

  async #readStdout(output: ChildOutput): Promise<void> {
    for await (const line of linesOf(this.#process.stdout)) output.onStdout(line);
  }

  async #readStderr({ stderr, log, foreign, isLast }: ChildOutput): Promise<void> {
    let over = false;
    for await (const line of linesOf(this.#process.stderr)) {
      const own = structured(line);
      if (own !== null) {
        if (own.level === "error") this.complaint = own.msg;
        stderr(line);
        continue;
      }
      const { level, message } = (foreign ?? parsePlainLine)(line);
      const isComplaint = level === "error" || level === "warn" && this.complaint === "";
      if (isComplaint && !over) this.complaint = message;
      log[level](message);
      if (over || isLast?.(line) !== true) continue;
      over = true;
      this.signal("SIGKILL");
    }
  }
}

/** Writes lines of children to our own standard error as they are. */
export function passThrough(line: string): void {
  write(Deno.stderr, `${line}\n`);
}

/** The output of a service called `name` at the usual places. */
export function usualOutput(name: string, level: LogLevel): Pick<ChildOutput, "stderr" | "log"> {
  return { stderr: passThrough, log: createLogger(name, level) };
}
