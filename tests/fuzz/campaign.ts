import { type DescMethod, type Message, toBinary, toJsonString } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { randomFor, type Random } from '#server/demo/seed/random.ts';
import { pathOf } from './contract.ts';
import { mutatedBytes, mutatedJson } from './mutate.ts';
import { smallest } from './shrink.ts';
import type { Caller, Pool } from './target.ts';
import { Requests } from './values.ts';
import { type Answer, type Call, type Client, codeName, isDefect, protocols } from './wire.ts';

export interface Campaign {
  readonly seed: string;
  readonly methods: readonly DescMethod[];
  /** Paths of rpcs that have a service: most calls are to them. */
  readonly served: ReadonlySet<string>;
  readonly pool: Pool;
  readonly client: Client;
  /** Calls at once; with one, a seed gives the very same run again. */
  readonly parallel: number;
  readonly binary: number;
  readonly json: number;
  hire(round: number): Promise<Caller[]>;
  /** Told now and then, for a line of progress. */
  readonly onProgress?: (done: number, all: number) => void;
  readonly onAnswer?: (answer: Answer, call: Call) => void;
  /** Looked at before each call. @returns why to stop, if so */
  readonly stopped?: () => string | undefined;
}

export interface Defect {
  readonly call: Call;
  readonly answer: Answer;
  /** The call as text that can be sent again, as small as it could be made. */
  readonly repro: string;
}

export interface Outcomes {
  /** By path, then by name of the code. */
  readonly codes: Map<string, Map<string, number>>;
  /** Calls that reached a service, of those by somebody who is signed in. */
  reached: number;
  known: number;
  readonly defects: Defect[];
  readonly slowest: { path: string; milliseconds: number; code: string }[];
}

/** New people after that many calls: by then some have been removed, suspended or signed out. */
const CALLS_PER_ROUND = 250;
/** The same defect again and again tells nothing new. */
const MAX_DEFECTS = 25;
const MAX_SLOW = 25;

const whoCalls: Readonly<Record<string, number>> = {
  administrator: 12,
  viewer: 4,
  operator: 3,
  developer: 3,
  'administrator below': 2,
  'support staff': 3,
  token: 4,
  newcomer: 1,
  nobody: 1,
};

export async function runCampaign(campaign: Campaign): Promise<Outcomes> {
  const { seed, client, parallel, binary, json } = campaign;
  const outcomes: Outcomes = { codes: new Map(), reached: 0, known: 0, defects: [], slowest: [] };
  const all = binary + json;
  const random = randomFor(`${seed} order`);
  let jsonLeft = json;
  let cast: Caller[] = [];
  for (let done = 0; done < all; done += parallel) {
    if (campaign.stopped?.() !== undefined) break;
    if (done % CALLS_PER_ROUND < parallel) cast = await campaign.hire(Math.floor(done / CALLS_PER_ROUND));
    const batch = Array.from({ length: Math.min(parallel, all - done) }, (_, index) => {
      // What one call is depends on the seed and its number alone, so that drawing more for one changes no other.
      const isJson = random.next() * (all - done - index) < jsonLeft;
      if (isJson) jsonLeft -= 1;
      return callNumber(campaign, done + index, isJson, cast);
    });
    const answers = await Promise.all(batch.map((call) => client.send(call)));
    for (const [index, answer] of answers.entries())
      await note(outcomes, client, batch[index] as Call, answer, campaign);
    if (outcomes.defects.length >= MAX_DEFECTS) break;
    if (Math.floor((done + parallel) / 1000) > Math.floor(done / 1000)) campaign.onProgress?.(done + parallel, all);
  }
  return outcomes;
}

async function note(outcomes: Outcomes, client: Client, call: Call, answer: Answer, { methods, onAnswer }: Campaign) {
  onAnswer?.(answer, call);
  const codes = outcomes.codes.get(call.path) ?? new Map<string, number>();
  const name = codeName(answer.code);
  outcomes.codes.set(call.path, codes.set(name, (codes.get(name) ?? 0) + 1));
  if (call.bearer !== undefined) {
    outcomes.known += 1;
    if (answer.code !== Code.Unauthenticated && answer.code !== Code.PermissionDenied) outcomes.reached += 1;
  }
  outcomes.slowest.push({ path: call.path, milliseconds: answer.milliseconds, code: name });
  outcomes.slowest.sort((a, b) => b.milliseconds - a.milliseconds).splice(MAX_SLOW);
  if (!isDefect(answer)) return;
  const known = outcomes.defects.some((defect) => defect.call.path === call.path && defect.answer.code === answer.code);
  const method = methods.find((descMethod) => pathOf(descMethod) === call.path);
  if (known || method === undefined) return;
  outcomes.defects.push({ call, answer, repro: await smallest(client, method, call) });
}

function callNumber(campaign: Campaign, number: number, json: boolean, cast: readonly Caller[]): Call {
  const { seed, methods, served, pool } = campaign;
  const random = randomFor(`${seed} ${number}`);
  const method = pickMethod(methods, served, random);
  const caller = pickCaller(cast, random);
  const streaming = method.methodKind !== 'unary';
  return {
    path: pathOf(method),
    streaming,
    who: caller.who,
    bearer: caller.bearer,
    protocol: random.pick(json ? protocols.slice(0, 2) : protocols),
    json,
    body: bodyOf(method, new Requests(random, pool).make(method.input), json, random),
  };
}

function pickMethod(methods: readonly DescMethod[], served: ReadonlySet<string>, random: Random): DescMethod {
  const here = methods.filter((method) => served.has(pathOf(method)));
  return random.pick(random.chance(0.9) ? here : methods);
}

function pickCaller(cast: readonly Caller[], random: Random): Caller {
  return random.pick(cast.flatMap((caller) => Array.from({ length: whoCalls[caller.who] ?? 1 }, () => caller)));
}

function bodyOf(method: DescMethod, request: Message, json: boolean, random: Random): Uint8Array {
  const mutated = random.chance(0.25);
  if (!json) {
    const bytes = toBinary(method.input, request);
    return mutated ? mutatedBytes(bytes, random) : bytes;
  }
  const text = jsonOf(method, request);
  return mutated ? mutatedJson(text, random) : Buffer.from(text);
}

/** What JSON cannot express, such as an enum value that does not exist, is what only binary calls try. */
function jsonOf(method: DescMethod, request: Message): string {
  try {
    return toJsonString(method.input, request);
  } catch {
    return '{}';
  }
}
