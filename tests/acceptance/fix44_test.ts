/**
 * Every script of fix44/: over a real socket against the gateway's acceptor with the echo behind it, unless
 * it takes too long, and against the pure session under a virtual clock, unless it needs a socket.
 * PITWIRE_SCRIPT=2b runs only the scripts whose names start so.
 */
import { describe, it } from "@std/testing/bdd";
import { EchoTarget } from "./echo_target.ts";
import { runScript } from "./run_script.ts";
import { loadScripts } from "./scripts.ts";
import { echoSettings } from "./settings.ts";
import { VirtualTarget } from "./virtual_target.ts";

const wanted = Deno.env.get("PITWIRE_SCRIPT") ?? "";
const scripts = loadScripts().filter(({ name }) => name.startsWith(wanted));

describe("acceptance scripts over a socket", () => {
  for (const { name, script } of scripts) {
    if (script.needs.has("clock")) continue;
    it(name, async () => {
      await using target = await EchoTarget.start(echoSettings(script.settings));
      await runScript(script, name, target);
    });
  }
});

describe("acceptance scripts against the pure session", () => {
  for (const { name, script } of scripts) {
    if (script.needs.has("socket")) continue;
    it(name, () => runScript(script, name, new VirtualTarget(echoSettings(script.settings))));
  }
});
