import type { JsonObject } from '@bufbuild/protobuf';

import type { Simulation_ModemMessageSimulation_Update_Request } from '#proto/gen/hiber/simulation_pb.ts';
import { readBytes } from '#server/wire/bytes.ts';
import { readDuration } from '#server/wire/durations.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { readTimestamp } from '#server/wire/timestamps.ts';

import { readInterval, requireRotation } from './limits.ts';
import { readRandomArea, readRotation, type SimulatedLocations } from './locations.ts';
import { readMessagesPerInterval } from './settings.ts';

/** The maximum size of all bodies of a device, and of its metadata as JSON. */
const MAX_BODY_BYTES = 16_384;
const MAX_METADATA_CHARACTERS = 4000;

export interface Change {
  readonly messagesPerInterval: number | undefined;
  readonly intervalSeconds: number | undefined;
  /** Undefined keeps the rotation. */
  readonly bodies: readonly string[] | undefined;
  readonly addVariableBytes: readonly number[];
  readonly removeVariableBytes: readonly number[];
  /** When a pause ends; a time in the past ends it now. */
  readonly inactiveUntil: Date | undefined;
  readonly locations: SimulatedLocations | undefined;
  readonly metadata: JsonObject | undefined;
}

export function readChange(request: Simulation_ModemMessageSimulation_Update_Request, now: Date): Change {
  const { location, metadata } = request;
  if (metadata !== undefined && JSON.stringify(metadata).length > MAX_METADATA_CHARACTERS) {
    throw invalidArgument(`The metadata can have at most ${MAX_METADATA_CHARACTERS} characters as JSON.`);
  }
  const interval = readDuration(request.simulationInterval, 'simulation_interval');
  return {
    messagesPerInterval: readMessagesPerInterval(request.messagesPerInterval),
    intervalSeconds: readInterval(interval, 'simulation_interval'),
    bodies: readBodies(request.messageBody),
    addVariableBytes: readIndices(request.messageBodyAddVariableByteIndices),
    removeVariableBytes: readIndices(request.messageBodyRemoveVariableByteIndices),
    inactiveUntil: readTimestamp(request.setInactiveUntil, now, 'set_inactive_until'),
    locations:
      location.case === 'randomLocationInArea'
        ? readRandomArea(location.value)
        : location.case === 'replaceLocationRotation'
          ? readRotation(location.value.locations)
          : undefined,
    metadata,
  };
}

function readBodies(body: Simulation_ModemMessageSimulation_Update_Request['messageBody']): string[] | undefined {
  if (body.case === undefined) return undefined;
  if (body.case === 'updateMessageBody' && !body.value.updated) return undefined;
  const bodies =
    body.case === 'replaceMessageBodyRotation' ? body.value.messageBodies : body.value.value ? [body.value.value] : [];
  requireRotation(bodies, 'The rotation of bodies');
  const read = bodies.map((item, index) => readBytes(item, `message_bodies[${index}]`));
  const size = read.reduce((sum, { length }) => sum + length, 0);
  if (size > MAX_BODY_BYTES) {
    throw invalidArgument(`The bodies of a device can have at most ${MAX_BODY_BYTES} bytes; these have ${size}.`);
  }
  return read.map((bytes) => Buffer.from(bytes).toString('hex'));
}

function readIndices(indices: readonly number[]): readonly number[] {
  const tooLarge = indices.find((index) => index >= MAX_BODY_BYTES);
  if (tooLarge !== undefined) {
    throw invalidArgument(`No body has a byte ${tooLarge}: the index of a byte must be below ${MAX_BODY_BYTES}.`);
  }
  return indices;
}
