import type { DescField } from '@bufbuild/protobuf';

import { LONGEST } from '#commands/text/lengths.ts';

/** How much one field of a request may hold. The contract states no limits. */
export interface FieldLimit {
  /** Of a string, of each string of a list, and of each string value of a map. */
  readonly characters: number;
  /** Of a bytes field. */
  readonly bytes: number;
  /** Of a list. */
  readonly items: number;
  /** Words of a search text; others may have any number. */
  readonly words?: number;
}

const KILOBYTE = 1024;
/** Whatever fits into a request (gRPC's default of 4 MB): content that is kept as it came. */
const wholeRequest = 4 * KILOBYTE * KILOBYTE;

/** Long enough for names, identifiers and addresses; services hold what they store to less. */
const usualCharacters = LONGEST.text;
const usualBytes = 64 * KILOBYTE;
/** Ids and names: each is an element of an array that rows are compared with. */
const MAX_SCALARS = 1_000;
/** Each message of a list may cost queries of its own. */
const MAX_MESSAGES = 1_000;
/** No enum has this many values, so a longer list repeats itself. */
const MAX_ENUMS = 200;

/** Of a map: each entry may become a condition of a query. */
export const MAX_ENTRIES = 100;
export const LONGEST_KEY = 200;

/** Items of all lists and maps of a request together, so that lists within lists do not multiply. */
export const MAX_ELEMENTS = 20_000;

/** Levels of messages within messages; protobuf's own limit for what it reads. */
export const DEEPEST = 100;

/** Points of a shape, whether they come as a list or as text. */
export const MAX_SHAPE_POINTS = 200;
/** Of all shapes of a selection together: each is an edge that every device is compared with. */
export const MAX_POINTS_TOGETHER = 500;

/** A search is looked up word by word, over whole tables. */
const search = { characters: LONGEST.search, words: 20 };

/** The texts that are looked for in stored texts, by field. A test holds this list against the contract. */
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
  'quarterdeck.support.v1.ListVisitsRequest.search',
]);

/** Searches in one list; any of them may match. */
const MAX_SEARCHES = 20;

/** What may hold more, or must hold less, than is usual for its type, and why. */
const exceptions: Readonly<Record<string, Partial<FieldLimit>>> = {
  // Files and message bodies come in the request, in one of several encodings.
  'hiber.BytesOrHex.bytes': { bytes: wholeRequest },
  'hiber.BytesOrHex.hex': { characters: wholeRequest },
  'hiber.file.File.data_raw': { bytes: wholeRequest },
  'hiber.file.File.data_formatted_hex': { characters: wholeRequest },
  'hiber.file.File.data_formatted_base64': { characters: wholeRequest },
  'hiber.file.File.data_uri': { characters: wholeRequest },
  'hiber.modem.message.bodyparser.UploadModemMessageBodyParserRequest.content_ksy': { characters: wholeRequest },
  'hiber.modem.message.bodyparser.UpdateUploadedModemMessageBodyParserRequest.content_ksy': {
    characters: wholeRequest,
  },
  'hiber.modem.message.bodyparser.TestModemMessageBodyParserRequest.content_ksy': { characters: wholeRequest },

  // Prose that people write.
  'hiber.device.UpdateDevice.notes': { characters: LONGEST.notes },
  'hiber.device.UpdateDevice.secure_notes': { characters: LONGEST.notes },
  'hiber.device.note.AddDeviceNote.message': { characters: LONGEST.notes },
  'hiber.device.note.UpdateDeviceNote.updated_message': { characters: LONGEST.notes },
  'hiber.modem.CreateModem.Request.notes': { characters: LONGEST.notes },
  'hiber.processpoint.CreateProcessPoint.notes': { characters: LONGEST.notes },
  'hiber.processpoint.UpdateProcessPoint.update_notes': { characters: LONGEST.notes },
  'hiber.modem.message.bodyparser.SimpleModemMessageBodyParser.documentation': { characters: LONGEST.notes },
  'hiber.modem.message.bodyparser.SimpleModemMessageBodyParser.Field.documentation': { characters: LONGEST.notes },

  // The console's own JSON, opaque to the server (contract: UpdateMissionControlSettings).
  'hiber.user.UpdateMissionControlSettingsRequest.update': { characters: 64 * KILOBYTE },

  // Addresses and header values of webhooks, as long as HTTP servers take them.
  'hiber.organization.Organization.Avatar.url': { characters: 2_000 },
  'hiber.file.File.url': { characters: 2_000 },
  'hiber.file.File.link': { characters: 2_000 },
  'hiber.webhook.Webhook.WebhookData.url': { characters: LONGEST.webhookUrl },
  'hiber.webhook.UpdateWebhookRequest.UpdateWebhook.url': { characters: LONGEST.webhookUrl },
  'hiber.UpdateClearableString.value': { characters: 2_000 },
  'hiber.webhook.Webhook.WebhookData.custom_headers': { characters: LONGEST.headerValue },
  'hiber.webhook.UpdateWebhookRequest.UpdateWebhook.add_custom_headers': { characters: LONGEST.headerValue },
  'hiber.webhook.UpdateWebhookRequest.UpdateWebhook.replace_custom_headers': { characters: LONGEST.headerValue },

  // Free-form metadata of messages and process points.
  'google.protobuf.Value.string_value': { characters: LONGEST.notes },

  // Every area and every edge of a shape is one more comparison for every device.
  'hiber.LocationSelection.areas': { items: 50 },
  'hiber.LocationSelection.shapes': { items: 20 },
  'hiber.Shape.path': { items: MAX_SHAPE_POINTS },
  'hiber.Shape.textual': { characters: 10_000 },

  // What somebody ticked one by one, or an export names; they are looked up by their keys.
  'hiber.message.MessageSelection.modem_message_ids': { items: 10_000 },
  'hiber.Filter.Modems.include': { items: 10_000 },
  'hiber.Filter.Modems.exclude': { items: 10_000 },
  'hiber.user.UserSelection.user_ids': { items: 10_000 },

  // A message of a device is small: sending many at once is what the rpc is for.
  'hiber.testing.PushModemMessagesRequest.messages': { items: 10_000 },
};

/** `hiber.tag.TagSelection.search` */
export const fieldKey = (field: DescField): string => `${field.parent.typeName}.${field.name}`;

const known = new WeakMap<DescField, FieldLimit>();

export function limitOf(field: DescField): FieldLimit {
  const limit = known.get(field) ?? decide(field);
  known.set(field, limit);
  return limit;
}

function decide(field: DescField): FieldLimit {
  const key = fieldKey(field);
  return {
    characters: usualCharacters,
    bytes: usualBytes,
    items: mostItems(field),
    ...(searchFields.has(key) ? search : {}),
    ...exceptions[key],
  };
}

function mostItems(field: DescField): number {
  if (searchFields.has(fieldKey(field))) return MAX_SEARCHES;
  if (field.fieldKind !== 'list') return 0;
  return { scalar: MAX_SCALARS, enum: MAX_ENUMS, message: MAX_MESSAGES }[field.listKind];
}

/** The fields that the table of exceptions names: a test checks that the contract has them. */
export const exceptionalFields: readonly string[] = Object.keys(exceptions);
