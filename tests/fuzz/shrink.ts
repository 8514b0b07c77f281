import {
  clone,
  type DescMethod,
  fromBinary,
  fromJsonString,
  type Message,
  toBinary,
  toJsonString,
} from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';

import { pathOf } from './contract.ts';
import { type Call, type Client, codeName, isDefect } from './wire.ts';

/** The maximum number of calls made to shrink one call. */
const MAX_ATTEMPTS = 150;

/** Removes everything from a call that isn't needed to reproduce the bug, and formats the rest to be sent manually. */
export async function shrink(client: Client, method: DescMethod, call: Call): Promise<string> {
  const message = decode(method, call);
  if (message === undefined) return formatCall(call, `bytes ${Buffer.from(call.body).toString('hex').slice(0, 4000)}`);
  let attempts = 0;
  const stillFails = async (candidate: Message): Promise<boolean> => {
    if (attempts >= MAX_ATTEMPTS) return false;
    attempts += 1;
    try {
      return isDefect(await client.send({ ...call, json: false, body: toBinary(method.input, candidate) }));
    } catch {
      return false;
    }
  };
  // A bug in the encoding, or a bug that depends on the server's state, is shown unchanged.
  if (!(await stillFails(message))) return formatCall(call, `once: ${printRequest(method, message)}`);
  let best = message;
  for (let hasShrunk = true; hasShrunk;) {
    hasShrunk = false;
    for (const remove of listRemovals(reflect(method.input, best, false))) {
      const candidate = clone(method.input, best);
      remove(reflect(method.input, candidate, false));
      if (!(await stillFails(candidate))) continue;
      best = candidate;
      hasShrunk = true;
      break;
    }
  }
  return formatCall(call, printRequest(method, best));
}

/** Describes a call as it was made. */
export function describeCall(methods: readonly DescMethod[], call: Call): string {
  const method = methods.find((descMethod) => pathOf(descMethod) === call.path);
  const message = method && decode(method, call);
  return formatCall(
    call,
    method && message
      ? printRequest(method, message)
      : `bytes ${Buffer.from(call.body).toString('hex').slice(0, 4000)}`,
  );
}

type Remove = (request: ReflectMessage) => void;

/** Returns ways to shrink a request by one field, outer fields first. */
function listRemovals(
  message: ReflectMessage,
  locate: (request: ReflectMessage) => ReflectMessage = (request) => request,
): Remove[] {
  const fields = message.fields.filter((field) => message.isSet(field));
  const ownRemovals = fields.map(
    (field): Remove =>
      (request) =>
        locate(request).clear(field),
  );
  const inner = fields.flatMap((field) =>
    field.fieldKind === 'message'
      ? listRemovals(message.get(field), (request) => {
          // Setting the field again applies the change to a message that represents a plain value, such as a Struct.
          const parent = locate(request);
          const child = parent.get(field);
          parent.set(field, child);
          return child;
        })
      : [],
  );
  return [...ownRemovals, ...inner];
}

function decode(method: DescMethod, { json, body }: Call): Message | undefined {
  try {
    return json
      ? fromJsonString(method.input, Buffer.from(body).toString(), { ignoreUnknownFields: true })
      : fromBinary(method.input, body);
  } catch {
    return undefined;
  }
}

function printRequest(method: DescMethod, message: Message): string {
  try {
    return toJsonString(method.input, message).slice(0, 4000);
  } catch {
    return `bytes ${Buffer.from(toBinary(method.input, message)).toString('hex').slice(0, 4000)}`;
  }
}

const formatCall = ({ caller, protocol, json, path }: Call, request: string): string =>
  `${path} as ${caller} over ${protocol} (${json ? 'JSON' : 'binary'}): ${request}`;

export const formatOutcome = (code: number | undefined, message: string): string =>
  `${codeName(code)}: ${decodeURIComponent(message).slice(0, 300)}`;
