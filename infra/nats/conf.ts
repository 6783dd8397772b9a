/**
 * nats-server's configuration file as text. Accounts keep guests apart from the exchange: a request names the subject
 * of its answer, and in one account a guest could let nats-server's own answer land in a command stream. Across accounts
 * answers are mapped, so a guest reaches only what PITWIRE exports, and, with what is stored, other guests. Readers may
 * not even ask, so nothing reaches them but what the exchange publishes (docs/operations.md, docs/adr/0002). Pure.
 */
import { evStream, mdStream } from "../../shared/protocol/mod.ts";

/** What differs between two configurations. */
export interface NatsConf {
  readonly host: string;
  /** TCP ports; -1 lets nats-server pick free ones. */
  readonly port: number;
  readonly wsPort: number;
  /** The venue's shards, whose events and market data guests may read. */
  readonly shards: readonly number[];
  /** Where JetStream keeps its files, and how many bytes; 0: it finds that out at each start. */
  readonly storeDir: string;
  readonly maxStoreBytes: number;
  /** Whether every write is on the disk before it is acknowledged; else nats-server syncs on its timer. */
  readonly syncAlways: boolean;
  /** Where nats-server writes the file that tells which ports it listens on. */
  readonly portsDir: string;
  readonly user: string;
  readonly password: string;
}

/** What guests and readers may subscribe to. Not `live.>`, which is the gateways' way: the same events are on `ev.>`. */
const GUEST_SUBJECTS = ["md.>", "drop.>", "ev.>"] as const;

/**
 * What guests may ask: what there is, and the messages of events and market data. Commands and what FIX sessions are
 * kept in stay closed. Consumers are left out, since one delivers to any subject it is told.
 */
function guestRequests(shards: readonly number[]): string[] {
  const api = "$JS.API";
  const open = shards.flatMap((shard) => [evStream(shard), mdStream(shard)]);
  return [
    ...["INFO", "STREAM.NAMES", "STREAM.LIST", "STREAM.INFO.*"].map((request) => `${api}.${request}`),
    ...open.flatMap((stream) => [
      `${api}.STREAM.MSG.GET.${stream}`,
      `${api}.DIRECT.GET.${stream}`,
      `${api}.DIRECT.GET.${stream}.>`,
    ]),
  ];
}

const text = (value: string) => JSON.stringify(value);

/** The file's content. */
export function renderConf(conf: NatsConf): string {
  const each = (subjects: readonly string[], line: (subject: string) => string) =>
    subjects.map((subject) => `      ${line(text(subject))}`).join("\n");
  const asked = guestRequests(conf.shards);
  const requests = each(asked, (subject) => `{ service: ${subject}, response_type: stream }`);
  const jetstream = [
    `store_dir: ${text(conf.storeDir)}`,
    ...(conf.maxStoreBytes > 0 ? [`max_file_store: ${conf.maxStoreBytes}`] : []),
    ...(conf.syncAlways ? ["sync_interval: always"] : []),
  ];
  return `# Written by the supervisor at every start; changes are lost.
server_name: pitwire
host: ${text(conf.host)}
port: ${conf.port}
max_payload: 1MB
# A subscriber that does not keep up misses messages; without this, whoever publishes to it would have to wait.
no_fast_producer_stall: true
ports_file_dir: ${text(conf.portsDir)}
jetstream { ${jetstream.join(", ")} }
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
      permissions { publish { allow: ${JSON.stringify(asked)} } }
    }]
    imports: [
${each(GUEST_SUBJECTS, (subject) => `{ stream: { account: PITWIRE, subject: ${subject} } }`)}
${each(asked, (subject) => `{ service: { account: PITWIRE, subject: ${subject} } }`)}
    ]
  }
  READER {
    users: [{ user: "reader", password: "reader", permissions { publish { deny: ">" } } }]
    imports: [
${each(GUEST_SUBJECTS, (subject) => `{ stream: { account: PITWIRE, subject: ${subject} } }`)}
    ]
  }
}
no_auth_user: guest
`;
}
