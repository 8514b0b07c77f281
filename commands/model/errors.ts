import { Code, ConnectError } from '@connectrpc/connect';

import { message, type Message } from '#commands/text/message.ts';

/**
 * Statuses for problems with the connection or the server itself, which share one message. For any other status, the
 * server's own message is shown (spec 8). Only this file turns a failed call into a message.
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

/** Statuses that do not indicate a defect in our code and are not reported (spec 8). */
const UNREPORTED: ReadonlySet<Code> = new Set([
  Code.Canceled,
  Code.Unavailable,
  Code.PermissionDenied,
  Code.Unauthenticated,
  Code.InvalidArgument,
]);

export interface Failure {
  /** The gRPC status in snake case (`permission_denied`), or `command` if the command itself rejected the input. */
  readonly code: string;
  readonly message: Message;
  /** False if the same call cannot succeed unless the input or the permissions change. */
  readonly retryable: boolean;
  /** True if an earlier call for the same change had already succeeded. */
  readonly partly?: true;
  /** The item that the change created before failing. Repeating the change would create another. */
  readonly createdItem?: CreatedItem;
  /** True if the call was never sent. */
  readonly unsent?: true;
}

/** Thrown by a command for bad input, an ambiguous name, or an empty selection. */
export class CommandError extends Error {
  readonly userMessage: Message;
  private wrongParam: string | undefined;

  constructor(userMessage: Message, param?: string) {
    super(userMessage.key);
    this.name = 'CommandError';
    this.userMessage = userMessage;
    this.wrongParam = param;
  }

  /** The param with the wrong value. A form shows the message next to it. */
  get param(): string | undefined {
    return this.wrongParam;
  }

  /** Sets the param with the wrong value, unless it is already set. */
  forParam(param: string): this {
    this.wrongParam ??= param;
    return this;
  }
}

/** Thrown for a valid filter that currently matches nothing. */
export class NothingMatchesError extends CommandError {}

/** Thrown for a value that does not exist, with suggestions, the most likely first. */
export class UnknownValueError extends CommandError {
  readonly value: string;
  readonly nearMatches: readonly string[];

  constructor(userMessage: Message, value: string, nearMatches: readonly string[]) {
    super(userMessage);
    this.value = value;
    this.nearMatches = nearMatches;
  }
}

/** Thrown for terms with the same filter key that no item can match together. */
export class NothingInCommonError extends CommandError {
  readonly key: string;

  constructor(key: string) {
    super(message('common:filter.nothing', { key }));
    this.key = key;
  }
}

/** An item that a change created. */
export interface CreatedItem {
  readonly id: string;
  readonly label: string;
}

/** Thrown if a change with several calls fails after the first call. `cause` is the failed call's error. */
export class PartlyDoneError extends Error {
  /** The item that the first call created, if it created one. */
  readonly createdItem: CreatedItem | undefined;
  /** Replaces the message of the failed call. */
  readonly userMessage: Message | undefined;

  constructor(cause: unknown, createdItem?: CreatedItem, userMessage?: Message) {
    super('Only part of the change was made.', { cause });
    this.name = 'PartlyDoneError';
    this.createdItem = createdItem;
    this.userMessage = userMessage;
  }
}

export function failureOf(error: unknown): Failure {
  if (error instanceof PartlyDoneError) {
    const { cause, createdItem, userMessage } = error;
    return {
      ...failureOf(cause),
      partly: true,
      ...(createdItem ? { createdItem } : {}),
      ...(userMessage ? { message: userMessage } : {}),
    };
  }
  if (error instanceof CommandError) return { code: 'command', message: error.userMessage, retryable: false };
  if (isAbort(error)) return { code: 'canceled', message: message('core:error.canceled'), retryable: true };
  const { code, rawMessage } = ConnectError.from(error);
  const name = Code[code].replace(/[A-Z]/g, (letter, index: number) => (index ? '_' : '') + letter.toLowerCase());
  if (rawMessage === MISSING_TRAILER) return { code: name, message: message('core:error.closed'), retryable: true };
  if (INTERNAL.has(code)) return { code: name, message: message('core:error.connection'), retryable: true };
  const text = serverTextOf(ConnectError.from(error));
  return {
    code: name,
    message: text ? message('core:error.server', { text: text.slice(0, 1000) }) : message('core:error.silent'),
    retryable: code === Code.DeadlineExceeded || code === Code.ResourceExhausted,
  };
}

/** Statuses that mean the server rejected the whole call, without carrying out any of it. */
const REJECTIONS: ReadonlySet<string> = new Set([
  'command',
  'invalid_argument',
  'not_found',
  'already_exists',
  'permission_denied',
  'failed_precondition',
  'out_of_range',
]);

/** True if the server rejected a call, regardless of earlier calls for the same change. */
export function isRejectedCall({ code }: Failure): boolean {
  return REJECTIONS.has(code);
}

/** True if the change certainly had no effect. After a lost connection or a server error, the effect is unknown. */
export function isRejection(failure: Failure): boolean {
  return failure.unsent === true || (!failure.partly && isRejectedCall(failure));
}

/** Connect's message for a response that ended early. */
const MISSING_TRAILER = 'missing trailer';

/**
 * Returns the server's message: the status text or, if that is JSON, its `message` (spec 8). Ignores the error details,
 * because over gRPC-web they are bytes of a type that the contract does not define.
 */
function serverTextOf({ rawMessage }: ConnectError): string | undefined {
  const text = messageIn(rawMessage.trim());
  // The server quotes names with straight quotes, and our own messages with typographic quotes.
  return text === '' ? undefined : text.replace(/"([^"\n]*)"/g, '“$1”');
}

function messageIn(text: string): string {
  if (!text.startsWith('{')) return text;
  try {
    const { message: statusText } = JSON.parse(text) as { readonly message?: unknown };
    return typeof statusText === 'string' ? statusText.trim() : '';
  } catch (error) {
    // The text starts like JSON, but is not JSON.
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/**
 * True if the client aborted the call. If the server cancels a call, it sends a response, which counts as a connection
 * problem (spec 8).
 */
export function isAbort(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'AbortError') return true;
  return error instanceof ConnectError && error.code === Code.Canceled && [...error.metadata.keys()].length === 0;
}

export function isUnauthenticated(error: unknown): error is ConnectError {
  return error instanceof ConnectError && error.code === Code.Unauthenticated;
}

/** True if the server doesn't implement an rpc, such as one of our extensions to the contract. */
export function isUnimplemented(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.Unimplemented;
}

export function isReportable(error: unknown): boolean {
  if (error instanceof CommandError || isAbort(error)) return false;
  return !(error instanceof ConnectError) || !UNREPORTED.has(error.code);
}
