/**
 * A venue on which foreign engines send every kind of message: its start, its desks, the dictionary that they hold it
 * to, and an operator as `deno task admin` is one. Test code only.
 */
import { fileURLToPath } from "node:url";
import { parseAdminArgs } from "../../infra/admin/args.ts";
import { command, type MatcherCommand } from "../../infra/admin/venue_admin.ts";
import { xmlOf } from "../../infra/dictionary/client_xml.ts";
import { type RunningVenue, startVenue } from "../../infra/venue_process.ts";
import { nullLogger } from "../../shared/cli/log.ts";
import { VENUE_TABLE } from "../../shared/codec/fix/mod.ts";
import { loadVenue } from "../../shared/config/mod.ts";
import { connectNats } from "../../shared/nats/mod.ts";
import { Desk } from "./desk.ts";
import type { Engine } from "./driver.ts";

const CONFIG = fileURLToPath(new URL("venue.yaml", import.meta.url));

/** The venue of tests/interop/venue.yaml, running. Dispose it to end it. */
export class Stage implements AsyncDisposable {
  readonly #running: RunningVenue;
  readonly #folder: string;

  private constructor(running: RunningVenue, folder: string) {
    this.#running = running;
    this.#folder = folder;
  }

  /** Starts the venue; what the engines keep goes to `folder`. */
  static async start(folder: string): Promise<Stage> {
    await Deno.writeTextFile(`${folder}/pitwire-fix44.xml`, xmlOf(VENUE_TABLE));
    const running = await startVenue({
      config: CONFIG,
      venue: loadVenue(CONFIG),
      store: null,
      natsExecutable: Deno.env.get("PITWIRE_NATS_SERVER") ?? "nats-server",
      log: nullLogger,
      logLevel: "error",
    });
    return new Stage(running, folder);
  }

  /** Where the engine of this session keeps its store and its log. */
  folderOf(senderCompId: string): string {
    return `${this.#folder}/${senderCompId}`;
  }

  /**
   * Logs a session on, with the numbers that it has. It is held to the dictionary that clients get, or (`plain`) to the
   * engine's own of FIX 4.4.
   */
  async desk(engine: Engine, senderCompId: string, plain = false): Promise<Desk> {
    const { venue, address } = this.#running;
    const { username, password } = venue.sessionByCompId.get(senderCompId)!;
    const { fixHost: host, fixPort: port } = address;
    const folder = this.folderOf(senderCompId);
    await Deno.mkdir(folder, { recursive: true });
    const dictionary = plain ? undefined : `${this.#folder}/pitwire-fix44.xml`;
    const account = { host, port, targetCompId: venue.targetCompId, senderCompId, username, password };
    return await Desk.start(engine, { ...account, folder, dictionary });
  }

  /** Carries out `deno task admin` with these words. */
  async admin(...words: string[]): Promise<void> {
    const { natsUrl: url, natsUser: user, natsPassword: password } = this.#running.address;
    const nc = await connectNats({ url, name: "operator", user, password });
    try {
      const asked = parseAdminArgs(words)!.command as MatcherCommand;
      const [answer] = await command(nc, this.#running.venue, asked, "operator");
      if (answer.kind !== asked.kind) throw new Error(`${words.join(" ")}: ${JSON.stringify(answer)}`);
    } finally {
      await nc.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running.stop();
  }
}
