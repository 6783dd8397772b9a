/**
 * Where a gateway listens to administrators: says where the numbers of a session that it holds stand, and changes them
 * after its client has been logged out. Owns no rule about numbers. Does I/O.
 */
import { errorText, type Logger } from "../../../shared/cli/log.ts";
import type { NatsConnection } from "../../../shared/nats/mod.ts";
import { gatewayAdminSubject } from "../../../shared/protocol/mod.ts";
import type { Numbers } from "../durable/record.ts";
import { type ChangePorts, changeSession } from "./change_session.ts";
import { type AdminAnswer, type AdminRequest, parseRequest } from "./request.ts";

/** The sessions of a gateway, as an administrator needs them; SessionKeeper fits. */
export interface AdministeredSessions {
  /** CompID of a session of the venue; undefined for an id that it has not. */
  senderCompId(id: number): string | undefined;
  /** Where the numbers of a session held here stand; null when it is not. */
  numbers(id: number): Numbers | null;
  /** Logs the client out with `text`, and has `work` done while no Logon is let in here. */
  whileFree<T>(id: number, text: string, work: () => Promise<T>): Promise<T>;
}

/** What an endpoint is made from. */
export interface EndpointOptions {
  readonly nc: NatsConnection;
  readonly gatewayId: number;
  readonly sessions: AdministeredSessions;
  readonly ports: ChangePorts;
  readonly log: Logger;
}

/** What the client of a session that is to be changed is told. */
const LOGOUT_TEXT = "The operator changes the sequence numbers";

/** Starts listening; the returned function stops it. */
export function listenToAdministrators(options: EndpointOptions): () => void {
  const { nc, gatewayId } = options;
  const subscription = nc.subscribe(gatewayAdminSubject(gatewayId), {
    callback: (error, message) => {
      if (error !== null) return;
      answer(message.string(), options).then((reply) => message.respond(JSON.stringify(reply)));
    },
  });
  return () => subscription.unsubscribe();
}

async function answer(text: string, options: EndpointOptions): Promise<AdminAnswer> {
  try {
    const request = parseRequest(text);
    const senderCompId = options.sessions.senderCompId(request.session);
    if (senderCompId === undefined) {
      return { kind: "refused", reason: `The gateway's venue file has no session ${request.session}` };
    }
    return request.action === "numbers"
      ? { kind: "numbers", numbers: options.sessions.numbers(request.session) }
      : await change(request, senderCompId, options);
  } catch (error) {
    return { kind: "refused", reason: errorText(error) };
  }
}

async function change(
  request: AdminRequest & { readonly action: "change" },
  senderCompId: string,
  { sessions, ports, gatewayId, log }: EndpointOptions,
): Promise<AdminAnswer> {
  const session = { id: request.session, senderCompId };
  const { change, by } = request;
  log.warn("an operator changes a session's numbers", { session: senderCompId, by, change });
  const outcome = await sessions.whileFree(
    session.id,
    LOGOUT_TEXT,
    () => changeSession({ session, change, by, via: `gateway ${gatewayId}` }, ports),
  );
  log.warn("what came of an operator's change", { session: senderCompId, by, ...outcome });
  return outcome;
}
