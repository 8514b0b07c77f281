import type { DescField } from '@bufbuild/protobuf';

import { MAX_LENGTH, MAX_TEST_BATCH } from '#commands/text/lengths.ts';

/** The limits for one field of a request. The contract does not specify any. */
export interface FieldLimit {
  /** Applies to a string, each string in a list, and each string value in a map. */
  readonly characters: number;
  /** Applies to a bytes field. */
  readonly bytes: number;
  /** Applies to a list. */
  readonly items: number;
  /** The number of words in a search. Other text may have any number. */
  readonly words?: number;
}

const KILOBYTE = 1024;
/** The size of a whole request (gRPC's default of 4 MB), for content that is stored unchanged. */
const WHOLE_REQUEST = 4 * KILOBYTE * KILOBYTE;

/** Long enough for names, identifiers, and URLs. Services set lower limits for the strings that they store. */
const DEFAULT_CHARACTERS = MAX_LENGTH.text;
/** The maximum for a `bytes` field without its own limit. */
const DEFAULT_BYTES = 64 * KILOBYTE;
/** The maximum for a list of ids or names, which become elements of an array in a query. */
const MAX_SCALARS = 1000;
/** The maximum for a list of messages, each of which can require its own queries. */
const MAX_MESSAGES = 1000;
/** The maximum for a list of enum values. No enum has this many, so a longer list has duplicates. */
const MAX_ENUMS = 200;

/** The maximum for a map, each of whose entries can become a condition in a query. */
export const MAX_ENTRIES = 100;
export const MAX_KEY_LENGTH = 200;

/** The maximum number of items in all lists and maps of a request. Nested lists would otherwise multiply. */
export const MAX_ELEMENTS = 20_000;

/** The maximum number of levels of nested messages: protobuf's own limit for parsing. */
export const MAX_DEPTH = 100;

/** The maximum number of points in a shape, given as a list or as text. */
export const MAX_SHAPE_POINTS = 200;
/** The maximum for all shapes in a selection. Every device is compared with the edge at each point. */
export const MAX_TOTAL_POINTS = 500;

/** The limit for a search, which looks up each word in whole tables. */
const SEARCH_LIMIT = { characters: MAX_LENGTH.search, words: 20 };

/** The fields that contain text to search for. A test checks this list against the contract. */
export const searchFields: ReadonlySet<string> = new Set([
  'hiber.certificate.CertificateSelection.search',
  'hiber.device.DeviceSelection.free_text_search',
  'hiber.device.note.DeviceNoteSelection.search',
  'hiber.device.type.DeviceTypeSelection.search',
  'hiber.export.ExportSelection.search',
  'hiber.field.FieldSelection.search',
  'hiber.file.FileSelection.search',
  'hiber.health.HealthLevelSelection.search',
  'hiber.integration.mqtt.MQTTPublisherSelection.description',
  'hiber.integration.mqtt.MQTTPublisherSelection.search_topic',
  'hiber.integration.mqtt.MQTTPublisherSelection.search_url',
  'hiber.integration.slack.SlackPublisherSelection.description',
  'hiber.integration.slack.SlackPublisherSelection.search',
  'hiber.integration.slack.SlackPublisherSelection.search_channel',
  'hiber.integration.slack.SlackPublisherSelection.search_url',
  'hiber.modem.ModemSelection.free_text_search',
  'hiber.modem.alarm.ModemAlarmSelection.search',
  'hiber.modem.message.bodyparser.ModemMessageBodyParserSelection.search',
  'hiber.organization.OrganizationSelection.search',
  'hiber.organization.location.LocationOverlapSelection.name',
  'hiber.organization.location.NamedLocationSelection.search',
  'hiber.processpoint.ProcessPointSelection.search',
  'hiber.role.RoleSelection.search',
  'hiber.tag.TagSelection.search',
  'hiber.token.TokenSelection.name',
  'hiber.transfer.TransferHistory.Request.TransferSelection.search',
  'hiber.user.AccessibleOrganizationsRequest.search',
  'hiber.user.ListInvitationsRequest.search',
  'hiber.user.ListOrganizationInvitesRequest.search',
  'hiber.user.UserSelection.by_email',
  'hiber.user.UserSelection.by_name',
  'hiber.user.UserSelection.search',
  'hiber.valve.ValveSelection.search',
  'hiber.webhook.WebhookSelection.description',
  'hiber.webhook.WebhookSelection.search',
  'hiber.webhook.WebhookSelection.url',
  'quarterdeck.support.v1.ListSupportSessionsRequest.search',
]);

/** The maximum number of searches in a list; an item matches if any of them does. */
const MAX_SEARCHES = 20;

/** Fields whose limit differs from the default for their type, with the reason. */
const exceptions: Readonly<Record<string, Partial<FieldLimit>>> = {
  // Files and message bodies are part of the request, in one of several encodings.
  'hiber.BytesOrHex.bytes': { bytes: WHOLE_REQUEST },
  'hiber.BytesOrHex.hex': { characters: WHOLE_REQUEST },
  'hiber.file.File.data_raw': { bytes: WHOLE_REQUEST },
  'hiber.file.File.data_formatted_hex': { characters: WHOLE_REQUEST },
  'hiber.file.File.data_formatted_base64': { characters: WHOLE_REQUEST },
  'hiber.file.File.data_uri': { characters: WHOLE_REQUEST },
  'hiber.modem.message.bodyparser.UploadModemMessageBodyParserRequest.content_ksy': { characters: WHOLE_REQUEST },
  'hiber.modem.message.bodyparser.UpdateUploadedModemMessageBodyParserRequest.content_ksy': {
    characters: WHOLE_REQUEST,
  },
  'hiber.modem.message.bodyparser.TestModemMessageBodyParserRequest.content_ksy': { characters: WHOLE_REQUEST },
  'quarterdeck.parser.v1.TraceRequest.content_ksy': { characters: WHOLE_REQUEST },
  'quarterdeck.parser.v1.TestBatchRequest.content_ksy': { characters: WHOLE_REQUEST },

  // Text written by users.
  'hiber.device.UpdateDevice.notes': { characters: MAX_LENGTH.notes },
  'hiber.device.UpdateDevice.secure_notes': { characters: MAX_LENGTH.notes },
  'hiber.device.note.AddDeviceNote.message': { characters: MAX_LENGTH.notes },
  'hiber.device.note.UpdateDeviceNote.updated_message': { characters: MAX_LENGTH.notes },
  'hiber.modem.CreateModem.Request.notes': { characters: MAX_LENGTH.notes },
  'hiber.processpoint.CreateProcessPoint.notes': { characters: MAX_LENGTH.notes },
  'hiber.processpoint.UpdateProcessPoint.update_notes': { characters: MAX_LENGTH.notes },
  'hiber.modem.message.bodyparser.SimpleModemMessageBodyParser.documentation': { characters: MAX_LENGTH.notes },
  'hiber.modem.message.bodyparser.SimpleModemMessageBodyParser.Field.documentation': { characters: MAX_LENGTH.notes },

  // The console's own JSON, opaque to the server (contract: UpdateMissionControlSettings).
  'hiber.user.UpdateMissionControlSettingsRequest.update': { characters: 64 * KILOBYTE },

  // URLs and webhook header values, as long as HTTP servers accept.
  'hiber.organization.Organization.Avatar.url': { characters: 2000 },
  'hiber.file.File.url': { characters: 2000 },
  'hiber.file.File.link': { characters: 2000 },
  'hiber.webhook.Webhook.WebhookData.url': { characters: MAX_LENGTH.webhookUrl },
  'hiber.webhook.UpdateWebhookRequest.UpdateWebhook.url': { characters: MAX_LENGTH.webhookUrl },
  'hiber.UpdateClearableString.value': { characters: 2000 },
  'hiber.webhook.Webhook.WebhookData.custom_headers': { characters: MAX_LENGTH.headerValue },
  'hiber.webhook.UpdateWebhookRequest.UpdateWebhook.add_custom_headers': { characters: MAX_LENGTH.headerValue },
  'hiber.webhook.UpdateWebhookRequest.UpdateWebhook.replace_custom_headers': { characters: MAX_LENGTH.headerValue },

  // Free-form metadata of messages and process points.
  'google.protobuf.Value.string_value': { characters: MAX_LENGTH.notes },

  // Every area and every edge of a shape adds a comparison for every device.
  'hiber.LocationSelection.areas': { items: 50 },
  'hiber.LocationSelection.shapes': { items: 20 },
  'hiber.Shape.path': { items: MAX_SHAPE_POINTS },
  'hiber.Shape.textual': { characters: 10_000 },

  // Items that someone selected one by one, or that an export lists; they are looked up by key.
  'hiber.message.MessageSelection.modem_message_ids': { items: 10_000 },
  'hiber.modem.message.bodyparser.RetryModemMessageBodyParsing.Request.modem_message_ids': { items: 10_000 },
  'hiber.Filter.Modems.include': { items: 10_000 },
  'hiber.Filter.Modems.exclude': { items: 10_000 },
  'hiber.user.UserSelection.user_ids': { items: 10_000 },
  'hiber.export.Export.Configuration.ModemMessages.modems': { items: 10_000 },
  'hiber.export.Export.Configuration.AssetValues.asset_identifiers': { items: 10_000 },
  'hiber.export.Export.Configuration.ProcessPointValues.process_point_identifiers': { items: 10_000 },
  // All tags of an organization, to select the items with any tag or with none. Only the whole request is limited.
  'hiber.Filter.Tags.include': { items: MAX_ELEMENTS },
  'hiber.Filter.Tags.exclude': { items: MAX_ELEMENTS },

  // A device message is small, and this rpc exists for sending many together.
  'hiber.testing.PushModemMessagesRequest.messages': { items: 10_000 },

  // Each is parsed, which may take 50 ms.
  'quarterdeck.parser.v1.TestBatchRequest.parse_bytes': { items: MAX_TEST_BATCH },
};

/** Returns the field's full name, such as `hiber.tag.TagSelection.search`. */
export const fieldKey = (field: DescField): string => `${field.parent.typeName}.${field.name}`;

const limitByField = new WeakMap<DescField, FieldLimit>();

export function limitOf(field: DescField): FieldLimit {
  const limit = limitByField.get(field) ?? computeLimit(field);
  limitByField.set(field, limit);
  return limit;
}

function computeLimit(field: DescField): FieldLimit {
  const key = fieldKey(field);
  return {
    characters: DEFAULT_CHARACTERS,
    bytes: DEFAULT_BYTES,
    items: maxItems(field),
    ...(searchFields.has(key) ? SEARCH_LIMIT : {}),
    ...exceptions[key],
  };
}

function maxItems(field: DescField): number {
  if (searchFields.has(fieldKey(field))) return MAX_SEARCHES;
  if (field.fieldKind !== 'list') return 0;
  return { scalar: MAX_SCALARS, enum: MAX_ENUMS, message: MAX_MESSAGES }[field.listKind];
}

/** The fields with their own limits. A test checks that they exist in the contract. */
export const exceptionalFields: readonly string[] = Object.keys(exceptions);
