import { Code } from '@connectrpc/connect';
import { DrizzleQueryError } from 'drizzle-orm';
import pg from 'pg';

import { listCauses } from '#server/base/describe-error.ts';

import { BlockedError, DatabaseBusyError } from './database.ts';
import { timeouts } from './limits.ts';

/** A state of the database that made a call fail. Not a bug in the server. */
export interface Condition {
  readonly code: Code;
  /** The message for the caller. */
  readonly message: string;
}

const condition = (code: Code, message: string): Condition => ({ code, message });

const unavailable = condition(Code.Unavailable, "The server can't reach its database right now. Try again shortly.");
const databaseBusy = condition(Code.Unavailable, 'The database is too busy right now. Try again shortly.');
const readOnly = condition(Code.Unavailable, 'The database is read-only right now. Nothing was changed.');
const conflict = condition(
  Code.Aborted,
  'Someone else changed the same items at the same time. Nothing was changed. Try again.',
);

/**
 * Conditions by SQLSTATE, or by its first two characters for a whole class. The server doesn't retry: a transaction can
 * have side effects beyond its statements. ABORTED leaves retrying to the caller.
 */
const conditions: Readonly<Record<string, Condition>> = {
  '08': unavailable,
  '57P01': unavailable,
  '57P02': unavailable,
  '57P03': unavailable,
  '25P03': unavailable,
  '58': condition(Code.Unavailable, "The database can't use its disk right now. The server's log has the cause."),
  '53300': databaseBusy,
  '53400': databaseBusy,
  '53100': condition(Code.ResourceExhausted, "The disk of the server's database is full. Nothing was changed."),
  '53200': condition(
    Code.ResourceExhausted,
    'The database ran out of memory for this call. Request less at once, or try again later.',
  ),
  '54': condition(Code.ResourceExhausted, 'This call is too large for the database. Request less at once.'),
  '57014': condition(
    Code.DeadlineExceeded,
    `The database canceled this call after ${timeouts.statement / 1000} s. Nothing was changed. Request less at once.`,
  ),
  '55P03': conflict,
  '40001': conflict,
  '40P01': conflict,
  // Someone deleted a row or took a name after the server had checked it.
  '23503': conflict,
  '23505': conflict,
  '25006': readOnly,
  // The system denies the database access to its files. A missing GRANT looks the same and has the same effect.
  '42501': readOnly,
};

/**
 * Finds the condition behind a database error. Returns undefined for a failure outside the database or a bug in the
 * server.
 */
export function databaseCondition(error: unknown): Condition | undefined {
  const causes = listCauses(error);
  const databaseError = causes.find((cause) => cause instanceof pg.DatabaseError);
  if (databaseError !== undefined) {
    const state = databaseError.code ?? '';
    return conditions[state] ?? conditions[state.slice(0, 2)];
  }
  if (causes.some((cause) => cause instanceof DatabaseBusyError)) return databaseBusy;
  if (causes.some((cause) => cause instanceof BlockedError)) return conflict;
  const isQueryError = causes.some((cause) => cause instanceof DrizzleQueryError);
  return causes.some((cause) => isLostConnection(cause, isQueryError)) ? unavailable : undefined;
}

const networkCodes = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT'];

/**
 * True for a lost connection. pg's own connection errors have no code, and a network code can be from any connection.
 */
function isLostConnection(error: unknown, isQueryError: boolean): boolean {
  if (!(error instanceof Error)) return false;
  if (/^(Connection terminated|Client (was closed|has encountered)|The embedded database)/.test(error.message))
    return true;
  return isQueryError && 'code' in error && networkCodes.includes(String(error.code));
}
