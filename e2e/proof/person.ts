import type { CampaignFixture } from './campaign-fixture';

/** A signed-in person, by HTTP. */
export interface PersonClient {
  /** Throws on a refusal. */
  control(session: string, body: object): Promise<void>;
  act(session: string, action: object): Promise<unknown>;
}

export async function person(fixture: CampaignFixture): Promise<PersonClient> {
  const { origin } = fixture.server;
  const cookie = await fixture.server.signIn();
  const post = async (session: string, path: string, body: object): Promise<unknown> => {
    const headers = { cookie, origin, 'content-type': 'application/json' };
    const response = await fetch(`${origin}/api/v1/sessions/${session}/tabs/t1/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} was refused: ${await response.text()}`);
    return response.json();
  };
  return {
    control: async (session, body) => void (await post(session, 'control', body)),
    act: (session, action) => post(session, 'act', action),
  };
}
