import { isAgentOf, type Credential } from '@/server/access/principal';
import type { Leases } from './leases';
import type { Funnel } from './funnel';
import type { Handover } from './handover';
import type { Participants } from './participants';
import type { HelpRequests } from './help-requests';
import type { SessionTabFactory } from './session-tab-factory';

interface CredentialUsers {
  readonly funnel: Funnel;
  readonly participants: Participants;
  readonly leases: Leases;
  readonly handover: Handover;
  readonly questions: HelpRequests;
  readonly seating: SessionTabFactory;
}

/**
 * A key or sign-in ended (R3, AU3): what came by it ends, and whoever is here by nothing else lets go of the wheel,
 * gets none back, and waits for nothing any more. Agents are known by their ids, too: after a restart of the server
 * nobody has seen them yet.
 */
export function endCredential(
  credential: Credential,
  { funnel, participants, leases, handover, questions, seating }: CredentialUsers,
): void {
  funnel.credentialEnded(credential);
  const known = [...leases.named(), ...questions.askers(), ...handover.receipts.waiting].filter((id) =>
    isAgentOf(credential, id),
  );
  for (const participant of new Set([...participants.ended(credential), ...known]))
    for (const end of [handover, questions]) end.left(participant, 'signed out');
  seating.credentialEnded(credential);
}
