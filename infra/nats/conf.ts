/**
 * nats-server's configuration file as text. Two accounts keep guests apart from the exchange: a request names the
 * subject of its answer, and in one account a guest could let nats-server's own answer land in a command stream.
 * Across accounts answers are mapped, so a guest reaches only what PITWIRE exports (docs/operations.md). Pure.
 */

/** What differs between two configurations. */
export interface NatsConf {
  readonly host: string;
  /** TCP ports; -1 lets nats-server pick free ones. */
  readonly port: number;
  readonly wsPort: number;
  /** Where JetStream keeps its files. */
  readonly storeDir: string;
  /** Where nats-server writes the file that tells which ports it listens on. */
  readonly portsDir: string;
  readonly user: string;
  readonly password: string;
}

/** What guests may subscribe to. Not `live.>`, which is the gateways' way: the same events are on `ev.>`. */
export const GUEST_SUBJECTS = ["md.>", "drop.>", "ev.>"] as const;

/** What guests may ask: reading streams. Consumers are left out, since one delivers to any subject it is told. */
export const GUEST_REQUESTS = [
  "$JS.API.INFO",
  "$JS.API.STREAM.NAMES",
  "$JS.API.STREAM.LIST",
  "$JS.API.STREAM.INFO.*",
  "$JS.API.STREAM.MSG.GET.*",
  "$JS.API.DIRECT.GET.>",
] as const;

const text = (value: string) => JSON.stringify(value);

/** The file's content. */
export function renderConf(conf: NatsConf): string {
  const each = (subjects: readonly string[], line: (subject: string) => string) =>
    subjects.map((subject) => `      ${line(text(subject))}`).join("\n");
  const requests = each(GUEST_REQUESTS, (subject) => `{ service: ${subject}, response_type: stream }`);
  return `# Written by the supervisor at every start; changes are lost.
server_name: pitwire
host: ${text(conf.host)}
port: ${conf.port}
max_payload: 1MB
# A subscriber that does not keep up misses messages; without this, whoever publishes to it would have to wait.
no_fast_producer_stall: true
ports_file_dir: ${text(conf.portsDir)}
jetstream { store_dir: ${text(conf.storeDir)} }
websocket { host: ${text(conf.host)}, port: ${conf.wsPort}, no_tls: true }
accounts {
  PITWIRE {
    jetstream: enabled
    users: [{ user: ${text(conf.user)}, password: ${text(conf.password)} }]
    exports: [
${each(GUEST_SUBJECTS, (subject) => `{ stream: ${subject} }`)}
${requests}
    ]
  }
  GUEST {
    users: [{
      user: "guest", password: "guest"
      permissions { publish { allow: ${JSON.stringify(GUEST_REQUESTS)} } }
    }]
    imports: [
${each(GUEST_SUBJECTS, (subject) => `{ stream: { account: PITWIRE, subject: ${subject} } }`)}
${each(GUEST_REQUESTS, (subject) => `{ service: { account: PITWIRE, subject: ${subject} } }`)}
    ]
  }
}
no_auth_user: guest
`;
}
