import { MessageService } from '#proto/gen/hiber/message_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const messagePolicy = rpcs(MessageService, {
  list: read('MODEM_MESSAGES'),
  count: read('MODEM_MESSAGES'),
});

export const testingPolicy = rpcs(TestingService, {
  pushModemMessages: change('MODEM_MESSAGES_SEND_TEST_MESSAGES'),
});
