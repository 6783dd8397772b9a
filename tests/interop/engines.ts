/** Builds the foreign engines' clients from their registries, or says why that is not possible here. */
import { fileURLToPath } from "node:url";
import { failureOfBuild } from "../../shared/testing/build.ts";
import type { Account, Engine } from "./driver.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));

/** QuickFIX/J through Maven. */
export async function quickfixJ(): Promise<Engine> {
  const name = "QuickFIX/J";
  const project = `${HERE}quickfixj`;
  const build = await failureOfBuild(
    "mvn",
    ["-q", "-B", "compile", "dependency:build-classpath", "-Dmdep.outputFile=target/classpath.txt"],
    project,
  );
  if (build !== null) return { name, missing: build };
  const classpath = `${project}/target/classes:${
    (await Deno.readTextFile(`${project}/target/classpath.txt`)).trim()
  }`;
  return {
    name,
    command: (account) => ({
      path: "java",
      args: [
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-cp",
        classpath,
        "pitwire.Client",
        ...words(account, "FIX44.xml"),
      ],
    }),
  };
}

/** QuickFIX/Go through the module proxy; the binary goes to `folder`. */
export async function quickfixGo(folder: string): Promise<Engine> {
  const name = "QuickFIX/Go";
  const project = `${HERE}quickfixgo`;
  const build = await failureOfBuild("go", ["build", "-o", `${folder}/quickfixgo`, "."], project);
  if (build !== null) return { name, missing: build };
  const module = new Deno.Command("go", {
    args: ["list", "-m", "-f", "{{.Dir}}", "github.com/quickfixgo/quickfix"],
    cwd: project,
  });
  const dictionary = new TextDecoder().decode((await module.output()).stdout).trim() + "/spec/FIX44.xml";
  return {
    name,
    command: (account) => ({
      path: `${folder}/quickfixgo`,
      args: words(account, dictionary),
    }),
  };
}

function words(account: Account, ownDictionary: string): string[] {
  const { host, port, senderCompId, targetCompId, username, password, dictionary, folder } = account;
  const all = [
    host,
    String(port),
    senderCompId,
    targetCompId,
    username,
    password,
    dictionary ?? ownDictionary,
  ];
  return folder === undefined ? all : [...all, folder];
}
