import type { TabGroup } from '#commands/model/screen.ts';
import { message } from '#commands/text/message.ts';

// The groups of tabs on /settings, /user, and so on (spec 2). Each screen refers to its group.

export const TRANSFERS: TabGroup = { id: 'transfers', title: message('common:tabs.transfers') };
export const SETTINGS: TabGroup = { id: 'settings', title: message('common:tabs.settings') };
export const ACCOUNTS: TabGroup = { id: 'accounts', title: message('common:tabs.accounts'), parent: SETTINGS };
export const USER: TabGroup = { id: 'user', title: message('common:tabs.user') };
export const DEVELOPER_TOOLS: TabGroup = { id: 'developer-tools', title: message('common:tabs.developer-tools') };
