import { describe, it } from "@std/testing/bdd";
import assert from "node:assert/strict";

/** What a process says that waits for hours, and gets a signal once it does. */
async function saidAfter(signal: Deno.Signal): Promise<{ code: number; said: string }> {
  const script = `
    import { Interruption } from ${JSON.stringify(import.meta.resolve("./interruption.ts"))};
    const say = (error) => console.log(error.message);
    {
      using interruption = new Interruption();
      console.log(await interruption.either(Promise.resolve("done")));
      const hours = interruption.either(new Promise((resolve) => setTimeout(resolve, 3_600_000)));
      Deno.kill(Deno.pid, "${signal}");
      await hours.catch(say);
      await interruption.either(Promise.resolve("done")).catch(say);
    }
    Deno.exit(7);`;
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--quiet", "--no-check", script],
    stdin: "null",
  }).output();
  return { code, said: new TextDecoder().decode(stdout) };
}

describe("an interruption", () => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    it(`by ${signal} ends what is waited for, and does not end the process`, async () => {
      const text = "Cannot go on: it was interrupted\n";
      assert.deepEqual(await saidAfter(signal), { code: 7, said: `done\n${text}${text}` });
    });
  }
});
