import { importCommand } from '#commands/kit/import/import-command.ts';
import { listCommand, openCommand } from '#commands/kit/standard.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { createWebhook, duplicateWebhook } from './create.ts';
import { editWebhook, setFilter } from './edit.ts';
import { entity, webhook } from './entity.ts';
import { resendCall, testWebhook } from './send.ts';
import { showHistory } from './show-history.ts';
import { deleteWebhook, disableWebhook, enableWebhook } from './state.ts';
import { tagWebhook } from './tag.ts';

export const noun: Noun = {
  entity,
  commands: [
    listCommand(webhook),
    openCommand(webhook),
    createWebhook,
    editWebhook,
    setFilter,
    enableWebhook,
    disableWebhook,
    duplicateWebhook,
    importCommand({ entity: webhook, create: createWebhook, edit: editWebhook }),
    tagWebhook,
    testWebhook,
    resendCall,
    showHistory,
    deleteWebhook,
  ],
};
