import { cleanText } from '@/lib/text/clean';
import type { Role } from '@/lib/rights/roles';

/** The mails of this server, as plain text. Names in them are other people's words. */

interface Text {
  readonly subject: string;
  readonly text: string;
}

const named = (name: string): string => `“${cleanText(name, 120)}”`;
const until = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`;

export function invitationMail(invitation: {
  readonly workspace: string;
  readonly by: string;
  readonly role: Role;
  readonly url: string;
  readonly expiresAt: string;
}): Text {
  const { workspace, by, role, url, expiresAt } = invitation;
  return {
    subject: `Invitation to the Wheelhouse workspace ${named(workspace)}`,
    text: `${named(by)} invites you to the workspace ${named(workspace)} of Wheelhouse, with the role ${role}.

Open this link to join:
${url}

It works once, until ${until(expiresAt)}. If you do not know who that is, do nothing.
`,
  };
}

export function passwordMail({ url, expiresAt }: { readonly url: string; readonly expiresAt: string }): Text {
  return {
    subject: 'A new password for Wheelhouse',
    text: `Open this link to choose a new password:
${url}

It works once, until ${until(expiresAt)}. Your sign-ins end when you use it. If you did not ask for it, do nothing.
`,
  };
}
