import { Code } from '@connectrpc/connect';
import { DrizzleQueryError } from 'drizzle-orm';
import pg from 'pg';
import { causesOf } from '#server/base/loggable.ts';
import { DatabaseBusy } from './database.ts';
import { limits } from './limits.ts';

/** A state of the database, rather than a defect of ours, that kept a call from being answered. */
export interface Condition {
  readonly code: Code;
  /** For the caller. */
  readonly sentence: string;
}

const condition = (code: Code, sentence: string): Condition => ({ code, sentence });

const unavailable = condition(Code.Unavailable, 'The database cannot be reached at the moment. Try again shortly.');
const busy = condition(
  Code.Unavailable,
  'The database is busy and takes no more work at the moment. Try again shortly.',
);
const readOnly = condition(Code.Unavailable, 'The database can only be read at the moment. Nothing was changed.');
const conflict = condition(
  Code.Aborted,
  'Somebody else was changing the same things at the same time. Nothing was changed. Try again.',
);

/**
 * By SQLSTATE, or its first two characters for a whole class. Nothing is repeated here: the work of a transaction may
 * have done more than its statements, so ABORTED leaves that to the caller.
 */
const conditions: Readonly<Record<string, Condition>> = {
  '08': unavailable,
  '57P01': unavailable,
  '57P02': unavailable,
  '57P03': unavailable,
  '25P03': unavailable,
  '58': condition(Code.Unavailable, "The database cannot use its disk at the moment. The server's log has the cause."),
  '53300': busy,
  '53400': busy,
  '53100': condition(Code.ResourceExhausted, "The disk of the server's database is full. Nothing was changed."),
  '53200': condition(
    Code.ResourceExhausted,
    'The database ran out of memory over this call. Ask for less at once, or try again later.',
  ),
  '54': condition(Code.ResourceExhausted, 'This call asks more of the database than it can do at once. Ask for less.'),
  '57014': condition(
    Code.DeadlineExceeded,
    `The database took longer than ${limits.statement / 1000} s over this call, which was ended. Nothing was changed. Ask for less at once.`,
  ),
  '55P03': conflict,
  '40001': conflict,
  '40P01': conflict,
  // What a row refers to was there when it was looked for, or its name was free: it changed since.
  '23503': conflict,
  '23505': conflict,
  '25006': readOnly,
  // Of files that the system does not let the database write; a missing GRANT looks the same, and means the same.
  '42501': readOnly,
};

/** @returns undefined when the database is not what failed, or failed because of a defect of ours */
export function databaseCondition(error: unknown): Condition | undefined {
  const causes = causesOf(error);
  const refused = causes.find((cause) => cause instanceof pg.DatabaseError);
  if (refused !== undefined) {
    const state = refused.code ?? '';
    return conditions[state] ?? conditions[state.slice(0, 2)];
  }
  if (causes.some((cause) => cause instanceof DatabaseBusy)) return busy;
  const ofDatabase = causes.some((cause) => cause instanceof DrizzleQueryError);
  return causes.some((cause) => isLostConnection(cause, ofDatabase)) ? unavailable : undefined;
}

const networkCodes = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT'];

/** pg gives its own errors about connections no code. A code of the network can be of any connection. */
function isLostConnection(error: unknown, ofDatabase: boolean): boolean {
  if (!(error instanceof Error)) return false;
  if (/^(Connection terminated|Client (was closed|has encountered)|The embedded database)/.test(error.message))
    return true;
  return ofDatabase && 'code' in error && networkCodes.includes(String(error.code));
}
