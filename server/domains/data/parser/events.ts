/** Events about a parser, for its owner. */
import type { MessageInitShape } from '@bufbuild/protobuf';

import type { Event_MessageBodyParserEvent_UpdatedEventSchema } from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { ModemMessageBodyParser } from '#proto/gen/hiber/parser_pb.ts';
import { type NewEvent, newEvent } from '#server/events/new-event.ts';

export function parserCreated(created: ModemMessageBodyParser, time: Date): NewEvent {
  return newEvent(
    {
      organization: created.organization,
      time,
      type: EventType.MESSAGE_BODY_PARSER_CREATED,
      title: 'Parser created',
      description: `Parser "${created.name}" was created.`,
    },
    (common) => ({ case: 'messageBodyParserCreated', value: { created, ...common } }),
  );
}

type UpdatedEvent = MessageInitShape<typeof Event_MessageBodyParserEvent_UpdatedEventSchema>;

/** The changes in an update. Absent means unchanged. */
export interface ParserChange {
  readonly name?: string;
  readonly contentKsy?: string;
  readonly simpleParser?: UpdatedEvent['updatedSimpleParser'];
  readonly availableToChildOrganizations?: UpdatedEvent['availableToChildOrganizations'];
  /** Phrases for the description: `name`, `definition`, `fields`. */
  readonly changed: readonly string[];
}

export function parserUpdated(updated: ModemMessageBodyParser, time: Date, change: ParserChange): NewEvent {
  const { name, contentKsy, simpleParser, availableToChildOrganizations, changed } = change;
  return newEvent(
    {
      organization: updated.organization,
      time,
      type: EventType.MESSAGE_BODY_PARSER_UPDATED,
      title: 'Parser updated',
      description: `Parser "${updated.name}" was updated: ${changed.join(', ')}.`,
    },
    (common) => ({
      case: 'messageBodyParserUpdated',
      value: {
        name,
        updatedName: name === undefined ? undefined : { updated: true, value: name },
        contentKsy,
        updatedContentKsy: contentKsy === undefined ? undefined : { updated: true, value: contentKsy },
        updatedSimpleParser: simpleParser,
        availableToChildOrganizations,
        updatedAvailableToChildOrganizations: availableToChildOrganizations && {
          updated: true,
          value: availableToChildOrganizations,
        },
        ...common,
      },
    }),
  );
}

export function parserDeleted(organization: string, name: string, time: Date): NewEvent {
  return newEvent(
    {
      organization,
      time,
      type: EventType.MESSAGE_BODY_PARSER_DELETED,
      title: 'Parser deleted',
      description: `Parser "${name}" was deleted.`,
    },
    (common) => ({ case: 'messageBodyParserDeleted', value: { deleted: name, ...common } }),
  );
}
