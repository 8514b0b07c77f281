import { desc, gte } from 'drizzle-orm';

import type { App } from '#server/app/app.ts';
import { mail } from '#server/db/schema/mail.ts';

import { html, type Html } from './html.ts';
import type { Page } from './page.ts';

const DAYS = 7;
const MAX_MESSAGES = 100;

/**
 * Creates the page with the latest emails and text messages, newest first. The demo shows links and codes here because
 * it sends no email.
 */
export async function createOutboxPage({ db, secrets, config, now }: App): Promise<Page> {
  const since = new Date(now().getTime() - DAYS * 86_400_000);
  const rows = await db.orm
    .select()
    .from(mail)
    .where(gte(mail.createdAt, since))
    .orderBy(desc(mail.createdAt), desc(mail.id))
    .limit(MAX_MESSAGES);
  const items = rows.map((row, index) => {
    const text = row.body === '' ? 'Sent. The content is no longer stored.' : secrets.open(row.body);
    return messageItem(row, linkOwnAddresses(text, config.origin), index === 0);
  });
  return {
    title: 'Outbox',
    content: html`<h1>Outbox</h1>
      <p>
        This demo has no mail server, so nothing is sent. Emails and text messages from the last ${String(DAYS)} days
        are shown here. <a href="/outbox">Reload</a>
      </p>
      ${
        items.length > 0
          ? html`<ol role="list">
              ${items}
            </ol>`
          : emptyState
      }
      ${items.length === MAX_MESSAGES ? html`<p>Only the newest ${String(MAX_MESSAGES)} are shown.</p>` : ''}`,
  };
}

const emptyState = html`<p class="empty">
  Nothing yet. Invitations, links to verify an address or reset a password, and sign-in codes appear here.
</p>`;

function messageItem(row: typeof mail.$inferSelect, text: Html, open: boolean): Html {
  return html`<li><details${open ? html` open` : ''}>
<summary><span class="subject">${row.channel === 'sms' ? html`<span class="kind">SMS</span>` : ''}${row.subject || 'No subject'}</span>
<time datetime="${row.createdAt.toISOString()}">${timeFormat.format(row.createdAt)}</time>
<span class="to">To ${row.recipient}</span></summary>
<div class="text">${text}</div>
</details></li>`;
}

/** The demo runs on the reader's machine, so its time zone is theirs. */
const timeFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

const ADDRESS = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]]/g;

/** Turns this installation's URLs into links. All others stay text because anyone may have written them. */
function linkOwnAddresses(text: string, origin: string): Html {
  const parts: Html[] = [];
  let end = 0;
  for (const { 0: url, index } of text.matchAll(ADDRESS)) {
    parts.push(
      html`${text.slice(end, index)}`,
      isOwnAddress(url, origin) ? html`<a href="${url}">${url}</a>` : html`${url}`,
    );
    end = index + url.length;
  }
  return html`${parts}${text.slice(end)}`;
}

const isOwnAddress = (url: string, origin: string): boolean => URL.canParse(url) && new URL(url).origin === origin;
