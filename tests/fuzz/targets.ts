/** Everything that can be fuzzed. */
import { codecTarget } from "./codec_target.ts";
import { loadCorpus } from "./corpus.ts";
import { engineTarget } from "./engine_target.ts";
import { sessionTarget } from "./session_target.ts";
import type { Target } from "./target.ts";
import { wireTarget } from "./wire_target.ts";

/** The targets, with the corpus in the repository. Reads it. */
export function allTargets(): Target[] {
  const corpus = loadCorpus();
  return [codecTarget(corpus), sessionTarget(corpus), engineTarget(), wireTarget];
}
