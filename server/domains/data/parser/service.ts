import { create } from '@bufbuild/protobuf';
import { asc } from 'drizzle-orm';

import {
  DeleteModemMessageBodyParserRequest_ResponseSchema,
  ListModemMessageBodyParsersRequest_ResponseSchema,
  ListModemMessageBodyParsersRequestSchema,
  ModemMessageBodyParserService,
} from '#proto/gen/hiber/parser_pb.ts';
import { ParserTraceService } from '#proto/gen/quarterdeck/parser/v1/parser_trace_service_pb.ts';
import { service } from '#server/app/service.ts';
import { naturalOrder } from '#server/db/schema/columns.ts';
import { parser } from '#server/db/schema/parser.ts';
import { scope } from '#server/session/scope.ts';
import { effectivePagination, readPage, paginationResult } from '#server/wire/pagination.ts';

import { assignParsers, unassignParsers } from './assign.ts';
import { changeAvailability, makeAvailable, makeUnavailable } from './availability.ts';
import { parserWhere, withFields } from './model/find.ts';
import { presentParser } from './model/present.ts';
import { retryParsing } from './retry/retry.ts';
import { testBatch, testParser, traceParser } from './trial.ts';
import {
  createSimpleParser,
  deleteParsers,
  renameParser,
  updateSimpleParser,
  updateUploadedParser,
  uploadParser,
} from './write.ts';

export const parserService = service(ModemMessageBodyParserService, (app) => ({
  /** Lists own and inherited parsers by name (not specified in the contract). */
  async list(request, context) {
    const { organization } = scope(context);
    const requestedPage = readPage(request.pagination);
    const { orm } = app.db;
    const where = parserWhere(organization, request.selection);
    const page = orm
      .select()
      .from(parser)
      .where(where)
      .orderBy(asc(naturalOrder(parser.name)), asc(parser.identifier))
      .limit(requestedPage.limit)
      .offset(requestedPage.offset);
    const [parsers, total] = await Promise.all([page.then((rows) => withFields(orm, rows)), orm.$count(parser, where)]);
    const { excludeContent = false } = request;
    return create(ListModemMessageBodyParsersRequest_ResponseSchema, {
      parsers: parsers.map((listed) => presentParser(listed, organization, { excludeContent })),
      request: create(ListModemMessageBodyParsersRequestSchema, {
        ...request,
        organization,
        pagination: effectivePagination(requestedPage),
      }),
      pagination: paginationResult(requestedPage, total),
    });
  },

  upload: (request, context) => uploadParser(app, scope(context), request),
  updateUploaded: (request, context) => updateUploadedParser(app, scope(context), request),
  createSimple: (request, context) => createSimpleParser(app, scope(context), request),
  updateSimple: (request, context) => updateSimpleParser(app, scope(context), request),
  rename: (request, context) => renameParser(app, scope(context), request),

  async updateChildOrganizationAvailability(request, context) {
    const { includeAll = false, include = [], exclude = [] } = request.availableToChildOrganizations ?? {};
    const organizations = [...include, ...exclude];
    return changeAvailability(app, scope(context), request.identifier, organizations, () => ({
      includeAll,
      include,
      exclude,
    }));
  },

  makeAvailableToChildOrganization: ({ identifier, availableTo }, context) =>
    changeAvailability(app, scope(context), identifier, availableTo, makeAvailable(availableTo)),

  makeUnavailableToChildOrganization: ({ identifier, unavailableTo }, context) =>
    changeAvailability(app, scope(context), identifier, unavailableTo, makeUnavailable(unavailableTo)),

  async delete(request, context) {
    await deleteParsers(app, scope(context), request.selection);
    return create(DeleteModemMessageBodyParserRequest_ResponseSchema);
  },

  test: (request, context) => testParser(app, scope(context), request),
  retry: (request, context) => retryParsing(app, scope(context), request),
  assign: (request, context) => assignParsers(app, scope(context), request),
  unassign: (request, context) => unassignParsers(app, scope(context), request),
}));

export const parserTraceService = service(ParserTraceService, (app) => ({
  trace: (request, context) => traceParser(app, scope(context), request),
  testBatch: (request, context) => testBatch(app, scope(context), request, context.signal),
}));
