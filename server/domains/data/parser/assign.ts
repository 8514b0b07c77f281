import { create } from '@bufbuild/protobuf';

import { AssignmentType } from '#proto/gen/hiber/assignment_pb.ts';
import type { ModemSelection } from '#proto/gen/hiber/modem_pb.ts';
import {
  type AssignModemMessageBodyParsers_Request,
  AssignModemMessageBodyParsers_RequestSchema,
  type AssignModemMessageBodyParsers_Response,
  AssignModemMessageBodyParsers_ResponseSchema,
  type ModemMessageBodyParserSelection,
  type UnassignModemMessageBodyParsers_Request,
  UnassignModemMessageBodyParsers_RequestSchema,
  type UnassignModemMessageBodyParsers_Response,
  UnassignModemMessageBodyParsers_ResponseSchema,
} from '#proto/gen/hiber/parser_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { assignItems, unassignItems } from '#server/domains/fleet/assignment/model/change.ts';
import { modemNumbers, selectParsers } from '#server/domains/fleet/assignment/model/items.ts';
import type { Sides } from '#server/domains/fleet/assignment/model/link-rows.ts';
import type { Link } from '#server/domains/fleet/assignment/model/link.ts';
import type { Scope } from '#server/session/scope.ts';

/** Assigns parsers to devices directly; returns the new assignments. */
export function assignParsers(
  app: App,
  caller: Scope,
  request: AssignModemMessageBodyParsers_Request,
): Promise<AssignModemMessageBodyParsers_Response> {
  const now = app.now();
  return app.db.transaction(async (tx) => {
    const sides = await readSides(tx, caller, request.assignParsers, request.toModems, now);
    const { created } = await assignItems(tx, caller, sides, { now, since: now, until: null, sharedFields: [] });
    return create(AssignModemMessageBodyParsers_ResponseSchema, {
      created: created.map(presentPair),
      request: create(AssignModemMessageBodyParsers_RequestSchema, { ...request, organization: caller.organization }),
    });
  });
}

/** Ends direct assignments. Assignments through a tag stay (contract: ModemMessageBodyParserService). */
export function unassignParsers(
  app: App,
  caller: Scope,
  request: UnassignModemMessageBodyParsers_Request,
): Promise<UnassignModemMessageBodyParsers_Response> {
  const now = app.now();
  return app.db.transaction(async (tx) => {
    const sides = await readSides(tx, caller, request.unassignParsers, request.fromModems, now);
    const removed = await unassignItems(tx, caller, sides, { now, at: now });
    return create(UnassignModemMessageBodyParsers_ResponseSchema, {
      removedDirectAssignments: removed.map(presentPair),
      request: create(UnassignModemMessageBodyParsers_RequestSchema, { ...request, organization: caller.organization }),
    });
  });
}

async function readSides(
  tx: Tx,
  caller: Scope,
  parsers: ModemMessageBodyParserSelection | undefined,
  modems: ModemSelection | undefined,
  now: Date,
): Promise<Sides> {
  return {
    type: AssignmentType.ASSIGNS_MESSAGE_BODY_PARSER_TO_MODEM,
    parsers: await selectParsers(tx, caller, parsers),
    numbers: await modemNumbers(tx, caller, modems, now),
  };
}

const presentPair = ({ parser, number }: Link) => ({
  parserIdentifier: parser ?? '',
  modemNumber: number ?? '',
});
