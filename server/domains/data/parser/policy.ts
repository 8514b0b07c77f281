import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { ParserTraceService } from '#proto/gen/quarterdeck/parser/v1/parser_trace_service_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const parserPolicy = rpcs(ModemMessageBodyParserService, {
  list: read('MODEMS_MESSAGE_BODY_PARSERS'),
  upload: change('MODEMS_MESSAGE_BODY_PARSERS'),
  updateUploaded: change('MODEMS_MESSAGE_BODY_PARSERS'),
  createSimple: change('MODEMS_MESSAGE_BODY_PARSERS'),
  updateSimple: change('MODEMS_MESSAGE_BODY_PARSERS'),
  rename: change('MODEMS_MESSAGE_BODY_PARSERS'),
  updateChildOrganizationAvailability: change('MODEMS_MESSAGE_BODY_PARSERS'),
  makeAvailableToChildOrganization: change('MODEMS_MESSAGE_BODY_PARSERS'),
  makeUnavailableToChildOrganization: change('MODEMS_MESSAGE_BODY_PARSERS'),
  delete: change('MODEMS_MESSAGE_BODY_PARSERS'),
  // Applies a parser and stores nothing.
  test: read('MODEMS_MESSAGE_BODY_PARSERS'),
  retry: change('MODEMS_MESSAGE_BODY_PARSERS'),
  assign: change('MODEMS_MESSAGE_BODY_PARSERS', 'ASSIGNMENTS', 'MODEMS'),
  unassign: change('MODEMS_MESSAGE_BODY_PARSERS', 'ASSIGNMENTS', 'MODEMS'),
});

export const parserTracePolicy = rpcs(ParserTraceService, {
  trace: read('MODEMS_MESSAGE_BODY_PARSERS'),
  testBatch: read('MODEMS_MESSAGE_BODY_PARSERS'),
});
