// The bystander, in its own process: makes ordinary calls during the whole run, and reports the duration of each.
import process from 'node:process';

import { create, type DescMethod, toBinary } from '@bufbuild/protobuf';

import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { MessageService } from '#proto/gen/hiber/message_pb.ts';
import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';

import { pathOf } from './contract.ts';
import { maxStealMs, readStealTime } from './steal-time.ts';
import { openClient } from './wire.ts';

export interface Sample {
  readonly path: string;
  readonly milliseconds: number;
  readonly code: number | undefined;
  /** The time of the response, on the clock that both processes share. */
  readonly endedAt: number;
  /** The milliseconds of the call during which the machine's host withheld the processor. */
  readonly stealMs: number;
}

const PAUSE_MS = 15;
const ORDINARY_METHODS: readonly DescMethod[] = [
  ModemService.method.list,
  DeviceService.method.list,
  TagService.method.list,
  EventService.method.history,
  MessageService.method.list,
  CurrentUserService.method.currentUser,
];

const [, , port, bearer] = process.argv;
const client = openClient(Number(port), 1);
process.on('disconnect', () => process.exit(0));
for (;;) {
  for (const method of ORDINARY_METHODS) {
    const before = readStealTime();
    const { milliseconds, code } = await client.send({
      path: pathOf(method),
      streaming: false,
      caller: 'bystander',
      bearer,
      protocol: 'connect',
      json: false,
      body: toBinary(method.input, create(method.input)),
    });
    const sample: Sample = {
      path: pathOf(method),
      milliseconds,
      code,
      endedAt: Date.now(),
      stealMs: maxStealMs(before, readStealTime()),
    };
    process.send?.(sample);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
