import { Code, ConnectError } from '@connectrpc/connect';

import { message, type Message } from '#commands/text/message.ts';

/**
 * The one translator from a failed call to what a person reads (spec 8). Everything that is the connection's or the
 * server's own trouble reads alike; everything else is the server's sentence.
 */
const INTERNAL: ReadonlySet<Code> = new Set([
  Code.Canceled,
  Code.Unknown,
  Code.Aborted,
  Code.Unimplemented,
  Code.Internal,
  Code.Unavailable,
  Code.DataLoss,
]);

/** Errors that say nothing about a defect of ours, and so are not reported (spec 8). */
const UNREPORTED: ReadonlySet<Code> = new Set([
  Code.Canceled,
  Code.Unavailable,
  Code.PermissionDenied,
  Code.Unauthenticated,
  Code.InvalidArgument,
]);

export interface Failure {
  /** The gRPC status, as its name in snake case (`permission_denied`), or `command` for a refusal of our own. */
  readonly code: string;
  readonly message: Message;
  /** False when the same call cannot succeed without a change of input or permission. */
  readonly retryable: boolean;
}

/** A refusal by a command itself: bad input, an ambiguous name, nothing selected. Carries the sentence to show. */
export class CommandError extends Error {
  readonly userMessage: Message;
  private about: string | undefined;

  constructor(text: Message, param?: string) {
    super(text.key);
    this.name = 'CommandError';
    this.userMessage = text;
    this.about = param;
  }

  /** The param whose value is wrong, so that a form can show the sentence beside it. */
  get param(): string | undefined {
    return this.about;
  }

  /** Says which param it is about, unless it knows. */
  in(param: string): this {
    this.about ??= param;
    return this;
  }
}

/** A filter that is right, and that nothing matches now. */
export class NothingMatches extends CommandError {}

/** A value that does not exist, with those that were probably meant, the likeliest first. */
export class UnknownValue extends CommandError {
  readonly value: string;
  readonly near: readonly string[];

  constructor(text: Message, value: string, near: readonly string[]) {
    super(text);
    this.value = value;
    this.near = near;
  }
}

/** Terms of one filter key that no item can fulfil together. */
export class NothingInCommon extends CommandError {
  readonly key: string;

  constructor(key: string) {
    super(message('common:filter.nothing', { key }));
    this.key = key;
  }
}

export function failureOf(error: unknown): Failure {
  if (error instanceof CommandError) return { code: 'command', message: error.userMessage, retryable: false };
  if (isAbort(error)) return { code: 'canceled', message: message('core:error.cancelled'), retryable: true };
  const { code, rawMessage } = ConnectError.from(error);
  const name = Code[code].replace(/[A-Z]/g, (letter, index: number) => (index ? '_' : '') + letter.toLowerCase());
  if (rawMessage === WITHOUT_HEADERS) return { code: name, message: message('core:error.closed'), retryable: true };
  if (INTERNAL.has(code)) return { code: name, message: message('core:error.connection'), retryable: true };
  const sentence = sentenceOf(ConnectError.from(error));
  return {
    code: name,
    message: sentence ? message('core:error.server', { text: sentence.slice(0, 1000) }) : message('core:error.silent'),
    retryable: code === Code.DeadlineExceeded || code === Code.ResourceExhausted,
  };
}

/** Statuses by which a server turns a call down as a whole, so that nothing of it was done. */
const REFUSALS: ReadonlySet<string> = new Set([
  'command',
  'invalid_argument',
  'not_found',
  'already_exists',
  'permission_denied',
  'failed_precondition',
  'out_of_range',
]);

/** Whether the call certainly changed nothing; of a lost connection or a server error nobody knows. */
export function isRefusal({ code }: Failure): boolean {
  return REFUSALS.has(code);
}

/** What connect says of an answer that ended before the call did. */
const WITHOUT_HEADERS = 'missing trailer';

/** The server's sentence: its text, or the `message` of the JSON that it or a detail holds (spec 8). */
function sentenceOf({ rawMessage, details }: ConnectError): string | undefined {
  const texts = [rawMessage, ...details.map((detail) => ('debug' in detail ? textOf(detail.debug) : ''))];
  return texts.map((text) => messageIn(text.trim())).find((text) => text !== '');
}

const textOf = (detail: unknown): string => (typeof detail === 'string' ? detail : (JSON.stringify(detail) ?? ''));

function messageIn(text: string): string {
  if (!text.startsWith('{')) return text;
  try {
    const { message: found } = JSON.parse(text) as { readonly message?: unknown };
    return typeof found === 'string' ? found.trim() : '';
  } catch (error) {
    // Text that only begins like JSON is a sentence.
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/**
 * Whether we ended it ourselves. What the server cancelled came with an answer, and is trouble of the connection
 * (spec 8).
 */
export function isAbort(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'AbortError') return true;
  return error instanceof ConnectError && error.code === Code.Canceled && [...error.metadata.keys()].length === 0;
}

export function isUnauthenticated(error: unknown): error is ConnectError {
  return error instanceof ConnectError && error.code === Code.Unauthenticated;
}

/** True for a server that does not know an rpc, as with our extensions on another server of the contract. */
export function isUnimplemented(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.Unimplemented;
}

export function isReportable(error: unknown): boolean {
  if (error instanceof CommandError || isAbort(error)) return false;
  return !(error instanceof ConnectError) || !UNREPORTED.has(error.code);
}
