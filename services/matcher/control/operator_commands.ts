/**
 * From an operator's request to a command of the engine's, and from what came of it to the answer. Owns the choice of
 * fields and words; sends nothing. Pure.
 */
import {
  codeOfChar,
  CommandKind,
  type ControlAnswer,
  type ControlRequest,
  EventKind,
  type Firm,
  type FixSession,
  type Instrument,
  MassScope,
  Phase,
  phaseName,
  phaseOfName,
  Reason,
  Side,
} from "../../../shared/protocol/mod.ts";
import type { Applied, FillCommand } from "./own_commands.ts";

/** What of the venue a request may name. */
export interface Directory {
  readonly shard: number;
  /** Those of the shard. */
  readonly instruments: readonly Instrument[];
  readonly firms: readonly Firm[];
  readonly sessions: readonly FixSession[];
}

/** A request that can be carried out. */
export interface OperatorCommand {
  /** The instrument that it concerns; null: several. */
  readonly symbol: string | null;
  readonly fill: FillCommand;
  /** The answer, from the events and the phases that instruments have behind them. */
  readonly answer: (applied: Applied, phaseOf: (instrumentId: number) => number) => ControlAnswer;
}

/** What a mass cancel of an operator's is called in its orders' events' place of a ClOrdID. */
const OPERATOR_CL_ORD_ID = "ADMIN";

/** Null is never a fault: a request that names what there is not is `refused`. `algorithmOf` is read at once. */
export function operatorCommand(
  asked: ControlRequest,
  directory: Directory,
  algorithmOf: (instrumentId: number) => string,
): OperatorCommand | { readonly refused: string } {
  const { shard, instruments } = directory;
  const instrument = asked.symbol === undefined
    ? null
    : instruments.find(({ symbol }) => symbol === asked.symbol);
  if (instrument === undefined) return { refused: `Shard ${shard} has no symbol ${asked.symbol}` };
  switch (asked.do) {
    case "phase":
      return phaseCommand(phaseOfName(asked.phase)!, instrument, directory);
    case "algorithm":
      return unlisted(asked.algorithm, instrument!) ??
        algorithmCommand(asked.algorithm, instrument!, shard, algorithmOf(instrument!.id));
    case "mass-cancel":
      return massCancel(asked, instrument, directory);
  }
}

function phaseCommand(phase: Phase, instrument: Instrument | null, directory: Directory): OperatorCommand {
  const { shard, instruments } = directory;
  return {
    symbol: instrument?.symbol ?? null,
    fill: (command) => {
      command.kind = CommandKind.SetPhase;
      command.instrumentId = instrument?.id ?? 0;
      command.target = phase;
    },
    answer: ({ cmdSeq, events }) => {
      const previous = new Map(
        events.filter(({ kind }) => kind === EventKind.PhaseChanged)
          .map((event) => [event.instrumentId, phaseName(event.previousPhase)]),
      );
      const concerned = instrument === null ? instruments : [instrument];
      return {
        kind: "phase",
        shard,
        cmdSeq,
        phase: phaseName(phase),
        changed: concerned.filter(({ id }) => previous.has(id))
          .map(({ id, symbol }) => ({ symbol, previous: previous.get(id)! })),
        unchanged: concerned.filter(({ id }) => !previous.has(id)).map(({ symbol }) => symbol),
      };
    },
  };
}

/** Refuses an algorithm that the venue file does not provide for. */
function unlisted(asked: string, instrument: Instrument): { readonly refused: string } | null {
  const { symbol, algorithm, switchableTo } = instrument;
  const listed: readonly string[] = [...new Set([algorithm, ...switchableTo ?? []])];
  if (switchableTo === undefined || listed.includes(asked)) return null;
  return { refused: `The venue file lets ${symbol} be switched to ${listed.join(", ")}, not to ${asked}` };
}

function algorithmCommand(
  algorithm: string,
  { id, symbol }: Instrument,
  shard: number,
  previous: string,
): OperatorCommand {
  return {
    symbol,
    fill: (command) => {
      command.kind = CommandKind.SetAlgorithm;
      command.instrumentId = id;
      command.target = codeOfChar(algorithm.charCodeAt(0));
    },
    answer: ({ cmdSeq, events }) => {
      const changed = events.some(({ kind }) => kind === EventKind.AlgorithmChanged);
      return {
        kind: "algorithm",
        shard,
        cmdSeq,
        symbol,
        algorithm,
        previous: changed ? previous : algorithm,
      };
    },
  };
}

function massCancel(
  asked: ControlRequest & { readonly do: "mass-cancel" },
  instrument: Instrument | null,
  { shard, instruments, firms, sessions }: Directory,
): OperatorCommand | { readonly refused: string } {
  const session = sessions.find(({ senderCompId }) => senderCompId === asked.session);
  if (asked.session !== undefined && session === undefined) {
    return { refused: `The venue file has no session ${asked.session}` };
  }
  const firm = firms.find(({ name }) => name === asked.firm);
  if (asked.firm !== undefined && firm === undefined) {
    return { refused: `The venue file has no firm ${asked.firm}` };
  }
  if (session !== undefined && firm !== undefined && session.firm.id !== firm.id) {
    return {
      refused: `Session ${session.senderCompId} belongs to firm ${session.firm.name}, not to ${firm.name}`,
    };
  }
  return {
    symbol: instrument?.symbol ?? null,
    fill: (command) => {
      command.kind = CommandKind.MassCancel;
      command.instrumentId = instrument?.id ?? 0;
      command.scope = session !== undefined
        ? MassScope.Session
        : firm !== undefined
        ? MassScope.Firm
        : MassScope.All;
      command.sessionId = session?.id ?? 0;
      command.firmId = session?.firm.id ?? firm?.id ?? 0;
      command.side = asked.side === undefined ? 0 : asked.side === "buy" ? Side.Buy : Side.Sell;
      command.clOrdId.setText(OPERATOR_CL_ORD_ID);
    },
    answer: ({ cmdSeq, events }, phaseOf) => {
      const report = events.find(({ kind }) => kind === EventKind.MassCancelReported);
      if (report?.reason === Reason.PhaseForbids) {
        return {
          kind: "refused",
          shard,
          reason: `${instrument!.symbol} is in no-cancel: nothing was cancelled`,
        };
      }
      const concerned = instrument === null ? instruments : [instrument];
      const skipped = concerned.filter(({ id }) => phaseOf(id) === Phase.NoCancel).map(({ symbol }) =>
        symbol
      );
      return { kind: "mass-cancel", shard, cmdSeq, canceled: report?.total ?? 0, skipped };
    },
  };
}
