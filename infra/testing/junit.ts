/**
 * Counts what a `deno test` run did from its JUnit report: tests, not suites. A suite is there as a test case too,
 * and fails when one of its tests does; it counts only when it failed by itself, in a hook. Pure.
 */

/** Results of a run, with the names of skipped tests, which hold the reason. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: readonly string[];
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescape(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name) => ENTITIES[name]);
}

/** Reads the XML that `deno test --junit-path` writes. Text without test cases gives zeros. */
export function countJunit(xml: string): Counts {
  const cases = [...xml.matchAll(/<testcase name="([^"]*)"[^>]*>([\s\S]*?)<\/testcase>/g)]
    .map(([, name, body]) => ({ name: unescape(name), body }));
  const parents = new Set<string>();
  for (const { name } of cases) {
    for (let end = name.indexOf(" > "); end >= 0; end = name.indexOf(" > ", end + 1)) {
      parents.add(name.slice(0, end));
    }
  }
  let passed = 0;
  let failed = 0;
  const skipped: string[] = [];
  for (const { name, body } of cases) {
    const isFailure = body.includes("<failure");
    if (parents.has(name)) {
      if (isFailure && !/<failure message="\d+ test steps? failed/.test(body)) failed++;
    } else if (isFailure) failed++;
    else if (body.includes("<skipped")) skipped.push(name);
    else passed++;
  }
  return { passed, failed, skipped };
}

/** The sum of several runs. */
export function sum(all: readonly Counts[]): Counts {
  return {
    passed: all.reduce((total, each) => total + each.passed, 0),
    failed: all.reduce((total, each) => total + each.failed, 0),
    skipped: all.flatMap((each) => each.skipped),
  };
}

/** "3 passed, 0 failed, 1 skipped" */
export function formatCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped.length} skipped`;
}
