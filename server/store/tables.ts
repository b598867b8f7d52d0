import type { Generated } from 'kysely';

/**
 * The tables of the database. Every row has its workspace. Times are ISO 8601 UTC text, which sorts and compares as
 * text; only a column's own repository parses `*_json` columns, with zod.
 */
export interface Tables {
  meta: { name: string; value: string };
  workspaces: {
    id: string;
    name: string;
    /** Has a default in the database. */
    policy_json: Generated<string>;
    ended_at: Generated<string | null>;
    created_at: string;
  };
  /** `workspace` is the one that opens where no address names another; it gives no right. */
  people: {
    id: string;
    workspace: string;
    server_owner: Generated<number>;
    removed_at: Generated<string | null>;
    /** Rises when sign-ins of the person end, and when their password changes. */
    sign_in_stamp: Generated<number>;
    created_at: string;
  };
  memberships: { workspace: string; person: string; role: string; created_at: string };
  api_keys: {
    id: string;
    workspace: string;
    person: string;
    name: string;
    hash: string;
    hint: string;
    grants_json: string;
    rev: Generated<number>;
    /** The key that made it. This and the next five have defaults in the database. */
    made_by: Generated<string | null>;
    scope: Generated<string>;
    sessions_json: Generated<string>;
    expires_at: Generated<string | null>;
    last_used_from: Generated<string | null>;
    rotated_at: Generated<string | null>;
    created_at: string;
    last_used_at: string | null;
    revoked_at: string | null;
  };
  invitations: {
    id: string;
    workspace: string;
    hash: string;
    role: string;
    email: string | null;
    made_by: string;
    /** The key by which that person made it. */
    made_by_key: Generated<string | null>;
    created_at: string;
    expires_at: string;
    used_at: string | null;
    used_by: string | null;
    revoked_at: string | null;
  };
  links: {
    id: string;
    workspace: string;
    session: string;
    /** Null: the whole session. */
    tab: string | null;
    hash: string;
    passcode: string | null;
    grants_json: string;
    most_viewers: number | null;
    made_by: string;
    made_by_key: string | null;
    wrong: Generated<number>;
    created_at: string;
    expires_at: string;
    ended_at: string | null;
    ended_why: string | null;
  };
  /** Those who opened a link; the row outlives the link, so that they are told why it ended. */
  guests: {
    id: string;
    workspace: string;
    link: string;
    hash: string;
    name: string;
    address: string;
    created_at: string;
    last_seen_at: string;
    ended_at: string | null;
  };
  comments: { workspace: string; session: string; seq: number; id: string; comment_json: string; resolved: number };
  /** The agent has got the comment. */
  comment_deliveries: { workspace: string; session: string; agent: string; comment: string };
  sign_in_tokens: {
    hash: string;
    workspace: string;
    person: string;
    purpose: Generated<string>;
    made_by: Generated<string | null>;
    created_at: string;
    expires_at: string;
    used_at: string | null;
  };
  logins: {
    id: string;
    workspace: string;
    person: string;
    hash: string;
    factor: Generated<string>;
    second_factor: Generated<string | null>;
    address: Generated<string | null>;
    agent: Generated<string | null>;
    last_used_at: Generated<string | null>;
    created_at: string;
    expires_at: string;
    revoked_at: string | null;
  };
  /** Browsers that a person signed in with before: wrong passwords of strangers do not lock them out (T15). */
  known_browsers: { hash: string; person: string; created_at: string; last_used_at: string };
  /** SHA-256 of the addresses of people who were removed from the server. */
  removed_addresses: { digest: string; removed_at: string };
  /** One-time codes that signed in, until they expire. */
  used_codes: { person: string; digest: string; expires_at: string };
  browsers: {
    id: string;
    workspace: string;
    origin: string;
    cdp_url: string | null;
    pid: number | null;
    process_started: string | null;
    port: number | null;
    user_data_dir: string | null;
    floor_port: number | null;
    product: string;
    state: string;
    created_at: string;
    updated_at: string;
  };
  sessions: {
    id: string;
    workspace: string;
    name: string;
    browser: string;
    isolation: string;
    /** Has a default in the database. */
    contexts_json: Generated<string>;
    viewport_json: string;
    policy_json: string;
    /** Has a default in the database. */
    active_json: Generated<string>;
    paused_json: Generated<string>;
    /** Null for sessions of an earlier version, and for those that an attached Chrome showed. */
    maker: Generated<string | null>;
    egress_port: number | null;
    /** The person who made it, or whose key did. */
    owner: Generated<string | null>;
    open: Generated<string>;
    watch_only: Generated<number>;
    state: string;
    created_at: string;
    ended_at: string | null;
  };
  /** `who` is a person or a key. */
  session_roles: { workspace: string; session: string; who: string; role: string; created_at: string };
  tabs: {
    workspace: string;
    session: string;
    id: string;
    target_id: string;
    label: string | null;
    opener: string | null;
    url: string;
    last_ref: number;
    masks_json: Generated<string>;
    opened_at: string;
    closed_at: string | null;
  };
  leases: {
    workspace: string;
    session: string;
    tab: string;
    epoch: number;
    holder_json: string;
    taken_from_json: string;
    cover_json: string;
    reason: string;
    updated_at: string;
  };
  questions: {
    workspace: string;
    session: string;
    id: string;
    asked_json: string;
    outcome_json: string;
    claimed_json: string;
    created_at: string;
  };
  receipts: { workspace: string; session: string; participant: string; receipt_json: string };
  timeline: {
    workspace: string;
    session: string;
    seq: number;
    event_id: string;
    phase: string;
    kind: string;
    actor: string;
    payload: string;
    digest: string;
  };
  timeline_heads: {
    workspace: string;
    session: string;
    seq: number;
    digest: string;
    /** Null, like the signature, where an earlier version could not sign the head and the rows were changed since. */
    signed_at: string | null;
    signature: string | null;
  };
  workspace_log: {
    workspace: string;
    seq: number;
    id: string;
    at: string;
    kind: string;
    actor: string;
    payload: string;
    digest: string;
  };
  workspace_log_heads: { workspace: string; seq: number; digest: string; signed_at: string; signature: string };
  pictures: {
    workspace: string;
    session: string;
    seq: number;
    event_id: string;
    at: string;
    sha256: string;
    bytes: number;
    width: number;
    height: number;
    signature: string;
  };
  action_results: {
    workspace: string;
    session: string;
    participant: string;
    action: string;
    state: string;
    fingerprint: string;
    event_id: string;
    reply_json: string | null;
    created_at: string;
  };
  /**
   * The four tables of better-auth, which names their columns; our code writes names, addresses and
   * passwords of people only.
   */
  auth_user: {
    id: string;
    name: string;
    email: string;
    emailVerified: number;
    image: Generated<string | null>;
    createdAt: string;
    updatedAt: string;
    twoFactorEnabled: Generated<number | null>;
  };
  auth_account: {
    id: string;
    accountId: string;
    providerId: string;
    userId: string;
    password: string | null;
    createdAt: string;
    updatedAt: string;
  };
  auth_two_factor: { id: string; userId: string; verified: number | null; backupCodes: string };
  auth_passkey: { id: string; userId: string; credentialID: string; name: string | null; createdAt: string | null };
}
