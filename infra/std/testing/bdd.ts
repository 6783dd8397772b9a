/**
 * `@std/testing/bdd` over Deno.test and its steps: a top-level `describe` is one test, what it holds are steps, so
 * that `deno test` reports every name and fails the suite when one step fails. It refuses hooks outside a
 * `describe`, registering while tests run, and sanitizers or permissions on anything but a top-level suite or test. docs/dependencies.md says how to switch
 * to the original.
 */

/** A test or hook body. A hook gets no argument. */
export type TestBody = (t: Deno.TestContext) => void | Promise<void>;
/** A hook body. */
export type HookBody = () => void | Promise<void>;

/** Settings of a suite or a test, handed on to Deno.test. The sanitizers' defaults are Deno's own. */
export interface TestOptions {
  /** Not run, and reported as ignored. */
  ignore?: boolean;
  /** Only tests marked so are run; the run as a whole then fails, as Deno has it. */
  only?: boolean;
  /** Fails when an asynchronous operation or timer outlives it. Top level only, as the next three. */
  sanitizeOps?: boolean;
  sanitizeResources?: boolean;
  sanitizeExit?: boolean;
  permissions?: Deno.PermissionOptions;
}

interface Case {
  name: string;
  options: TestOptions;
  fn: TestBody;
}

interface Suite {
  name: string;
  options: TestOptions;
  children: (Case | Suite)[];
  hooks: Record<HookName, HookBody[]>;
}

type HookName = "beforeAll" | "afterAll" | "beforeEach" | "afterEach";

let openSuite: Suite | null = null;
let running = false;

function isSuite(node: Case | Suite): node is Suite {
  return "children" in node;
}

function hasOnly(node: Case | Suite): boolean {
  return node.options.only === true || (isSuite(node) && node.children.some(hasOnly));
}

/** Runs each function, even when an earlier one threw; then throws what was thrown. */
async function runEach(functions: readonly HookBody[]): Promise<void> {
  const errors: unknown[] = [];
  for (const fn of functions) {
    try {
      await fn();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} hooks failed`);
}

/** Runs `body`, and `last` whether or not it threw; throws everything that was thrown. */
async function withCleanup(body: () => Promise<void>, last: () => Promise<void>): Promise<void> {
  const errors: unknown[] = [];
  for (const fn of [body, last]) {
    try {
      await fn();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, "the test and its cleanup failed");
}

async function runCase(test: Case, path: readonly Suite[], t: Deno.TestContext): Promise<void> {
  const outwards = path.toReversed();
  await withCleanup(async () => {
    for (const suite of path) for (const hook of suite.hooks.beforeEach) await hook();
    await test.fn(t);
  }, () => runEach(outwards.flatMap((suite) => suite.hooks.afterEach)));
}

async function runSuite(suite: Suite, path: readonly Suite[], t: Deno.TestContext): Promise<void> {
  const inside = [...path, suite];
  const focused = suite.children.some(hasOnly);
  await withCleanup(async () => {
    for (const hook of suite.hooks.beforeAll) await hook();
    for (const child of suite.children) {
      if (focused && !hasOnly(child)) continue;
      await t.step({
        name: child.name,
        ignore: child.options.ignore ?? false,
        fn: (step) => isSuite(child) ? runSuite(child, inside, step) : runCase(child, inside, step),
      });
    }
  }, () => runEach(suite.hooks.afterAll));
}

/** Deno's sanitizers and permissions work on whole top-level tests: accepting them deeper would hide leaks. */
function refuseNestedOptions({ name, options }: Case | Suite): void {
  for (const option of ["sanitizeOps", "sanitizeResources", "sanitizeExit", "permissions"] as const) {
    if (options[option] !== undefined) {
      throw new Error(`Cannot set ${option} of "${name}": expected it on the outermost describe`);
    }
  }
}

function register(node: Case | Suite): void {
  if (running) throw new Error(`Cannot register "${node.name}": tests are already running`);
  if (openSuite !== null) {
    refuseNestedOptions(node);
    openSuite.children.push(node);
    return;
  }
  Deno.test({
    ...node.options,
    name: node.name,
    only: hasOnly(node),
    fn: (t) => {
      running = true;
      return isSuite(node) ? runSuite(node, [], t) : runCase(node, [], t);
    },
  });
}

/** (name, body), (name, options, body) or (options with name and fn). */
export type Arguments<Body> =
  | [name: string, fn: Body]
  | [name: string, options: TestOptions, fn: Body]
  | [options: TestOptions & { name: string; fn: Body }];

function read<Body>(
  args: Arguments<Body>,
  mark: TestOptions,
): { name: string; options: TestOptions; fn: Body } {
  if (args.length === 1) {
    const { name, fn, ...options } = args[0];
    return { name, fn, options: { ...options, ...mark } };
  }
  if (args.length === 2) return { name: args[0], options: mark, fn: args[1] };
  return { name: args[0], options: { ...args[1], ...mark }, fn: args[2] };
}

function describeWith(args: Arguments<() => void>, mark: TestOptions): void {
  const { name, options, fn } = read(args, mark);
  const hooks = { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] };
  const suite: Suite = { name, options, children: [], hooks };
  const outer = openSuite;
  openSuite = suite;
  let returned: unknown;
  try {
    returned = fn();
  } finally {
    openSuite = outer;
  }
  if (returned instanceof Promise) {
    throw new Error(`Cannot describe "${name}": expected a plain function, got an asynchronous one`);
  }
  register(suite);
}

/** The call forms of {@link describe} and {@link it}. */
export interface Registrar<Body> {
  (...args: Arguments<Body>): void;
  /** Runs only what is marked so. */
  only(...args: Arguments<Body>): void;
  /** Registers without running; put the reason into the name, which is printed. */
  ignore(...args: Arguments<Body>): void;
  /** The same as ignore. */
  skip(...args: Arguments<Body>): void;
}

function registrar<Body>(add: (args: Arguments<Body>, mark: TestOptions) => void): Registrar<Body> {
  const plain = (...args: Arguments<Body>) => add(args, {});
  const ignore = (...args: Arguments<Body>) => add(args, { ignore: true });
  return Object.assign(plain, {
    only: (...args: Arguments<Body>) => add(args, { only: true }),
    ignore,
    skip: ignore,
  });
}

/** Groups tests: `fn` registers them with {@link it}, nested suites and hooks, and must not be asynchronous. */
export const describe: Registrar<() => void> = registrar(describeWith);

/** Registers one test. */
export const it: Registrar<TestBody> = registrar((args, mark) => register(read(args, mark)));

/** The same as {@link it}. */
export const test: Registrar<TestBody> = it;

function hook(name: HookName, fn: HookBody): void {
  if (openSuite === null) throw new Error(`Cannot add ${name}: expected to be inside a describe`);
  openSuite.hooks[name].push(fn);
}

/** Runs `fn` once before the enclosing suite's tests. */
export const beforeAll = (fn: HookBody): void => hook("beforeAll", fn);
/** Runs `fn` once after the enclosing suite's tests, whether or not they passed. */
export const afterAll = (fn: HookBody): void => hook("afterAll", fn);
/** Runs `fn` before every test of the enclosing suite, nested ones included. */
export const beforeEach = (fn: HookBody): void => hook("beforeEach", fn);
/** Runs `fn` after every test of the enclosing suite, nested ones included, whether or not it passed. */
export const afterEach = (fn: HookBody): void => hook("afterEach", fn);
/** The same as {@link beforeAll}. */
export const before: (fn: HookBody) => void = beforeAll;
/** The same as {@link afterAll}. */
export const after: (fn: HookBody) => void = afterAll;
