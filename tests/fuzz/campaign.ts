import { type DescMethod, type Message, toBinary, toJsonString } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';

import { createRandom, type Random } from '#server/demo/seed/random.ts';

import { pathOf } from './contract.ts';
import { mutateBytes, mutateJson } from './mutate.ts';
import { shrink } from './shrink.ts';
import type { Caller, Pool } from './target.ts';
import { RequestBuilder } from './values.ts';
import { type Call, type Client, codeName, isDefect, protocols, type Reply } from './wire.ts';

export interface Campaign {
  readonly seed: string;
  readonly methods: readonly DescMethod[];
  /** Paths of the rpcs that the server implements; most calls go to these. */
  readonly servedPaths: ReadonlySet<string>;
  readonly pool: Pool;
  readonly client: Client;
  /** The number of concurrent calls. With 1, a seed reproduces a run exactly. */
  readonly concurrency: number;
  readonly binaryCount: number;
  readonly jsonCount: number;
  createCallers(round: number): Promise<Caller[]>;
  /** Called after every 1,000 calls, to show progress. */
  readonly onProgress?: (completed: number, total: number) => void;
  readonly onReply?: (reply: Reply, call: Call) => void;
  /** Called before each batch of calls. Returns the reason to stop, if any. */
  readonly stopReason?: () => string | undefined;
}

export interface Defect {
  readonly call: Call;
  readonly reply: Reply;
  /** The call in a form that can be resent, shrunk as far as possible. */
  readonly repro: string;
}

export interface Outcomes {
  /** Counts by path, then by code name. */
  readonly codes: Map<string, Map<string, number>>;
  /** The number of calls by signed-in callers that reached a service; `authenticated` counts all their calls. */
  reached: number;
  authenticated: number;
  readonly defects: Defect[];
  readonly slowest: { path: string; milliseconds: number; code: string }[];
}

/** The number of calls after which callers are replaced. By then, some are removed, suspended, or signed out. */
const CALLS_PER_ROUND = 250;
/** The maximum number of defects in a campaign. More would mostly repeat the same bugs. */
const MAX_DEFECTS = 25;
const MAX_SLOW_CALLS = 25;

const CALLER_WEIGHTS: Readonly<Record<string, number>> = {
  administrator: 12,
  viewer: 4,
  operator: 3,
  developer: 3,
  'sub-organization administrator': 2,
  'support staff': 3,
  token: 4,
  newcomer: 1,
  nobody: 1,
};

export async function runCampaign(campaign: Campaign): Promise<Outcomes> {
  const { seed, client, concurrency, binaryCount, jsonCount } = campaign;
  const outcomes: Outcomes = { codes: new Map(), reached: 0, authenticated: 0, defects: [], slowest: [] };
  const total = binaryCount + jsonCount;
  const random = createRandom(`${seed} order`);
  let remainingJson = jsonCount;
  let callers: Caller[] = [];
  for (let completed = 0; completed < total; completed += concurrency) {
    if (campaign.stopReason?.() !== undefined) break;
    if (completed % CALLS_PER_ROUND < concurrency)
      callers = await campaign.createCallers(Math.floor(completed / CALLS_PER_ROUND));
    const batch = Array.from({ length: Math.min(concurrency, total - completed) }, (_, index) => {
      // Each call depends only on the seed and its number, so the random values of one call don't affect another.
      const isJson = random.next() * (total - completed - index) < remainingJson;
      if (isJson) remainingJson -= 1;
      return makeCall(campaign, completed + index, isJson, callers);
    });
    const replies = await Promise.all(batch.map((call) => client.send(call)));
    for (const [index, reply] of replies.entries())
      await record(outcomes, client, batch[index] as Call, reply, campaign);
    if (outcomes.defects.length >= MAX_DEFECTS) break;
    if (Math.floor((completed + concurrency) / 1000) > Math.floor(completed / 1000))
      campaign.onProgress?.(completed + concurrency, total);
  }
  return outcomes;
}

async function record(outcomes: Outcomes, client: Client, call: Call, reply: Reply, { methods, onReply }: Campaign) {
  onReply?.(reply, call);
  const codes = outcomes.codes.get(call.path) ?? new Map<string, number>();
  const name = codeName(reply.code);
  outcomes.codes.set(call.path, codes.set(name, (codes.get(name) ?? 0) + 1));
  if (call.bearer !== undefined) {
    outcomes.authenticated += 1;
    if (reply.code !== Code.Unauthenticated && reply.code !== Code.PermissionDenied) outcomes.reached += 1;
  }
  outcomes.slowest.push({ path: call.path, milliseconds: reply.milliseconds, code: name });
  outcomes.slowest.sort((a, b) => b.milliseconds - a.milliseconds).splice(MAX_SLOW_CALLS);
  if (!isDefect(reply)) return;
  const isRepeat = outcomes.defects.some(
    (defect) => defect.call.path === call.path && defect.reply.code === reply.code,
  );
  const method = methods.find((descMethod) => pathOf(descMethod) === call.path);
  if (isRepeat || method === undefined) return;
  outcomes.defects.push({ call, reply, repro: await shrink(client, method, call) });
}

function makeCall(campaign: Campaign, number: number, json: boolean, callers: readonly Caller[]): Call {
  const { seed, methods, servedPaths, pool } = campaign;
  const random = createRandom(`${seed} ${number}`);
  const method = pickMethod(methods, servedPaths, random);
  const caller = pickCaller(callers, random);
  const streaming = method.methodKind !== 'unary';
  return {
    path: pathOf(method),
    streaming,
    caller: caller.name,
    bearer: caller.bearer,
    protocol: random.pick(json ? protocols.slice(0, 2) : protocols),
    json,
    body: encodeBody(method, new RequestBuilder(random, pool).build(method.input), json, random),
  };
}

function pickMethod(methods: readonly DescMethod[], servedPaths: ReadonlySet<string>, random: Random): DescMethod {
  const servedMethods = methods.filter((method) => servedPaths.has(pathOf(method)));
  return random.pick(random.chance(0.9) ? servedMethods : methods);
}

function pickCaller(callers: readonly Caller[], random: Random): Caller {
  return random.pick(
    callers.flatMap((caller) => Array.from({ length: CALLER_WEIGHTS[caller.name] ?? 1 }, () => caller)),
  );
}

function encodeBody(method: DescMethod, request: Message, json: boolean, random: Random): Uint8Array {
  const isMutated = random.chance(0.25);
  if (!json) {
    const bytes = toBinary(method.input, request);
    return isMutated ? mutateBytes(bytes, random) : bytes;
  }
  const text = printJson(method, request);
  return isMutated ? mutateJson(text, random) : Buffer.from(text);
}

/** Prints a request as JSON. Only binary calls try values that JSON can't express, such as an unknown enum value. */
function printJson(method: DescMethod, request: Message): string {
  try {
    return toJsonString(method.input, request);
  } catch {
    return '{}';
  }
}
