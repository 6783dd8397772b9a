import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { assertSpyCall, assertSpyCalls, returnsNext, spy, stub } from "@std/testing/mock";

describe("mock adapter", () => {
  it("records arguments, results, errors and this", () => {
    const self = {};
    const half = spy((n: number) => {
      if (n % 2 !== 0) throw new Error(`odd ${n}`);
      return n / 2;
    });
    assert.equal(half.call(self, 4), 2);
    assert.throws(() => half(3), /odd 3/);
    assertSpyCalls(half, 2);
    assertSpyCall(half, 0, { args: [4], returned: 2, self });
    assertSpyCall(half, 1, { args: [3], error: { msgIncludes: "odd" } });
  });

  it("fails when a call is missing, was other, or there were more", () => {
    const once = spy();
    once(1);
    assert.throws(() => assertSpyCalls(once, 2), assert.AssertionError);
    assert.throws(() => assertSpyCall(once, 1), assert.AssertionError);
    assert.throws(() => assertSpyCall(once, 0, { args: [2] }), assert.AssertionError);
    assert.throws(() => assertSpyCall(once, 0, { returned: 5 }), assert.AssertionError);
    assert.throws(() => assertSpyCall(once, 0, { error: {} }), assert.AssertionError);
  });

  it("spies on a method without changing it, and puts it back", () => {
    const account = {
      balance: 5,
      take(n: number) {
        return this.balance -= n;
      },
    };
    const original = account.take;
    {
      using take = spy(account, "take");
      assert.equal(account.take(2), 3);
      assertSpyCall(take, 0, { args: [2], returned: 3, self: account });
    }
    assert.equal(account.take, original);
  });

  it("replaces a method by a stub, and puts an inherited one back by removing its own", () => {
    class Clock {
      now() {
        return 1;
      }
    }
    const clock = new Clock();
    const now = stub(clock, "now", returnsNext([7, 8, new Error("stopped")]));
    assert.deepEqual([clock.now(), clock.now()], [7, 8]);
    assert.throws(() => clock.now(), /stopped/);
    assert.throws(() => clock.now(), /there are only 3/);
    now.restore();
    assert.equal(now.restored, true);
    assert.throws(() => now.restore(), /already restored/);
    assert.equal(Object.hasOwn(clock, "now"), false);
    assert.equal(clock.now(), 1);
  });
});
