/**
 * What it costs to survive power loss: the same loads on a venue with each profile of durability, one after the other in one
 * run, FIX order to first report.
 */
import type { Durability } from "../../shared/config/mod.ts";
import type { BenchResult } from "../result.ts";
import { type LoadResult, oneAtATime, openLoop, saturate } from "./load.ts";
import { connectFix, type EndToEndOptions, latencyOf, measure, type Shape } from "./run.ts";

const PROFILES: readonly Durability[] = ["default", "power-loss"];
const WINDOW = 4_000;

/** Measures both; takes about a minute. */
export async function runDurability(options: EndToEndOptions): Promise<BenchResult[]> {
  const scale = options.quick ? 0.02 : 1;
  const shapes: Shape[] = [
    { name: "one at a time", run: (lane) => oneAtATime(lane, Math.ceil(3_000 * scale)) },
    { name: "open loop 1,000/s", run: (lane) => openLoop(lane, 1_000, Math.ceil(5_000 * scale)) },
    { name: "saturated", run: (lane) => saturate(lane, Math.ceil(200_000 * scale), WINDOW) },
  ];
  const loads: LoadResult[][] = [];
  for (const profile of PROFILES) {
    loads.push(await measure(profile, shapes, options, {}, ({ fixPort }) => connectFix(fixPort), profile));
  }
  return shapes.flatMap(({ name }, i) =>
    PROFILES.flatMap((profile, p): BenchResult[] => {
      const { orders, seconds } = loads[p][i];
      const rate = {
        name: `${profile}, ${name}: rate`,
        unit: "orders/s",
        value: Math.round(orders / seconds),
      };
      return [latencyOf(`${profile}, ${name}`, loads[p][i]), ...(name === "saturated" ? [rate] : [])];
    })
  );
}
