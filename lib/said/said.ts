import { z } from 'zod';
import { FLOOD_KINDS } from '@/lib/flood/limits';
import { cleanText } from '@/lib/text/clean';

/** Most characters of one filling: names, addresses, notes and page text are cut to it. What says how much was cut comes on top. */
const MOST = 400;
const CUT_MARK = 24;
/** What people, agents or pages wrote, made safe to show; whoever shows it isolates it (GU3). Parsed again it stays as it is. */
const words = z.string().transform((text) => cleanText(text, text.length > MOST + CUT_MARK ? MOST : MOST + CUT_MARK));

/**
 * Everything the server says in its own words to people: a code and what fills its sentence. English stands in `english.ts`, other languages
 * in `components/messages`. Said of an actor ("took the wheel") it is a predicate, to be put after the name; all else is a whole sentence.
 */
export const saidSchema = z.discriminatedUnion('code', [
  z.object({
    code: z.enum([
      // Of a tab (SE5).
      'tabClosed', 'pageCrashed', 'pageCrashedMended', 'pageCrashedAgain', 'pageLoading', 'scriptRuns', 'scriptStays', 'foundSilent', 'pagePaused', 'notPaused', 'notParked', 'scriptAnswers',
      // Of Chrome and of the session.
      'chromeGone', 'chromeSilent', 'chromeSilentCure', 'attachedSilent', 'attachedSilentCure', 'browserDetached', 'browserStopped', 'serverStopped', 'serverRestarted', 'sessionOver', 'noOpenTab', 'browserRuns', 'browserStarting', 'chromeReturning', 'browserReturned', 'serverAndChromeGone', 'chromeOutdated', 'contextRenewed', 'contextRenewing', 'egressAdvisory', 'stateRestored', 'stateLost',
      // What a session is called that nobody named.
      'sessionAttached', 'sessionAttachedOwn',
      // Done by somebody.
      'joined', 'left', 'sessionEnded', 'browserRenewed', 'inputUsed', 'wheelStarted', 'wheelTaken', 'wheelReleased', 'wheelLost', 'wheelIdle', 'agentStubborn', 'wheelSignedOut', 'wheelForgotten', 'wheelFreed', 'wheelParked', 'wheelKept', 'wheelFound', 'wheelDenied', 'wheelWithdrawn',
      // Of the wheel.
      'wheelFree', 'wheelNobody', 'wheelPassing', 'wheelUnclaimed', 'wheelUnasked',
      // Of what agents ask people for.
      'questionExpired', 'questionWithdrawn', 'questionOver', 'questionNone', 'questionsSeveral', 'questionWaits',
      // Of private holds.
      'privateUnheld', 'privateForPeople', 'happenedPrivately', 'privateCleared', 'privateMeanwhile', 'privateMeanwhileCure', 'privateBegan', 'privateEnded', 'privateFieldLeft', 'didPrivately', 'triedPrivately',
      // Of pages that were asked for.
      'filesAsked', 'filesGiven', 'traceLost', 'tabOpened', 'popupOpened', 'noEarlierPage', 'noLaterPage', 'noDialog', 'dialogsSilenced', 'noChooser', 'filesNotGiven', 'leaveAsked', 'evaluateOff', 'evaluateOffAgents', 'evaluateOffPeople', 'pictureStale', 'pictureStaleCure', 'nothingAtPoint',
      // Of the server, by the interface.
      'answerUnreadable', 'reloadCure', 'serverUnreachable', 'serverRunsCure', 'serverSilent', 'lineCure', 'lineLost', 'lineLostCure', 'noListYet',
      // Of Chrome that was looked for.
      'noChromeHere', 'noChromeCure', 'attachCure', 'cdpFormsCure', 'chromeDriven', 'chromeDrivenElsewhereCure', 'blockedCure', 'launchOutputCure', 'libraryCure', 'sandboxCure', 'displayCure', 'profileCure', 'portCure', 'diskCure',
      // Of files.
      'filesFull', 'filesFullCure', 'fileNameCure', 'fileOutside', 'dropTakesNone', 'dropCure', 'chooserTakesOne', 'filesUnanswerable', 'filesUnanswerableCure',
    ]),
  }),
  z.object({ code: z.enum(['sessionMade', 'sessionRenamed', 'sessionEndedBy', 'wheelBack', 'wheelStays', 'wheelHeld', 'wheelNow', 'wheelTakenBy', 'wheelPassingTo', 'wheelBeyond']), name: words }),
  z.object({ code: z.enum(['armReplaced', 'fileAdded', 'fileRemoved', 'downloadBegun', 'downloadDone', 'downloadElsewhere', 'downloadBroken', 'downloadTooLarge', 'downloadNotKept', 'downloadCancelled', 'fileTaken', 'fileMissing', 'traceKept', 'traceTimeUp', 'traceFull', 'traceWheel']), name: words }),
  // Of what an agent left behind.
  z.object({ code: z.enum(['scriptsStopping', 'scriptsStopped', 'scriptsMayRun', 'scriptsGoOn', 'asideDialog', 'asideFiles', 'asideOffline', 'asideHeaders', 'asideCredentials', 'asideGeolocation', 'asideThrottling', 'emulationStays']), name: words }),
  z.object({ code: z.enum(['wheelAsked', 'wheelTaking', 'wheelUnanswered', 'wheelGiven', 'wheelAskedBefore', 'wheelUndeniable']), name: words }),
  z.object({ code: z.enum(['traceNotKept', 'chromeNotReturned']), reason: words }),
  z.object({ code: z.literal('egressClosed'), port: z.int() }),
  z.object({ code: z.literal('chromeParked'), times: z.int() }),
  z.object({ code: z.enum(['chromeSilentFor', 'endpointSilent']), seconds: z.int() }),
  z.object({ code: z.enum(['floodNoticed', 'floodSlowed', 'floodOver']), flood: z.enum(FLOOD_KINDS) }),
  z.object({ code: z.literal('floodWarned'), flood: z.enum(FLOOD_KINDS), seconds: z.int() }),
  z.object({ code: z.enum(['floodParked', 'floodClosed']), flood: z.enum(FLOOD_KINDS), url: words }),
  z.object({ code: z.literal('agentFails'), name: words, times: z.int(), error: words }),
  z.object({ code: z.literal('agentRepeats'), name: words, times: z.int() }),
  z.object({ code: z.literal('agentSilent'), name: words, minutes: z.int() }),
  z.object({ code: z.literal('stateRestoredOf'), seconds: z.int() }),
  z.object({ code: z.enum(['questionAsked', 'questionBefore']), reason: words }),
  z.object({ code: z.enum(['questionDone', 'questionCouldNot', 'questionAnswered']), name: words }),
  z.object({ code: z.enum(['questionDoneNote', 'questionCouldNotNote', 'questionNote']), name: words, note: words }),
  z.object({ code: z.literal('inputDid'), what: words }),
  z.object({ code: z.literal('inputDidMore'), what: words, more: z.int() }),
  z.object({ code: z.literal('downloadFailed'), name: words, reason: words }),
  z.object({ code: z.enum(['wheelBackNote', 'wheelGivenNote']), name: words, note: words }),
  z.object({ code: z.literal('wheelFreedNote'), note: words }),
  z.object({ code: z.literal('privateBeganFor'), reason: words }),
  z.object({ code: z.enum(['wheelPrivate', 'tracePrivate']), name: words }),
  z.object({ code: z.enum(['alertOpened', 'confirmOpened', 'promptOpened']), message: words }),
  z.object({ code: z.literal('tabClosedNamed'), title: words }),
  z.object({
    code: z.enum([
      'tabOpenedAt', 'popupOpenedAt', 'pageNow',
      'netNameUnknown', 'netRefused', 'netReset', 'netEmpty', 'netUnreachable', 'netTimedOut', 'netOffline', 'netChanged', 'netRedirects', 'netCertificate', 'netSecure',
      'frameHangs',
      'netUnsafePort', 'netBlocked', 'netAborted', 'netStatus', 'netNotHttp', 'netAddress', 'netProxy', 'netSignIn',
    ]),
    url: words,
  }),
  z.object({ code: z.enum(['scriptBeside', 'dialogBeside']), tab: words, title: words }),
  z.object({ code: z.literal('frameBeside'), tab: words, url: words }),
  z.object({ code: z.literal('frameHangsWith'), url: words, tab: words, title: words }),
  z.object({ code: z.literal('netOther'), url: words, error: words }),
  z.object({ code: z.enum(['noTab', 'noSession', 'noBrowser', 'noQuestion', 'chromeDrivenCure']), id: words }),
  z.object({ code: z.literal('schemeBlocked'), scheme: words }),
  z.object({ code: z.enum(['blockedOwnPort', 'blockedDebugPort', 'blockedMetadata', 'blockedPrivate', 'blockedNoSession', 'blockedOther']), host: words }),
  z.object({ code: z.literal('requestBlocked'), host: words, rule: words }),
  z.object({ code: z.enum(['requestsBlocked', 'manyRequestsBlocked']), times: z.int() }),
  z.object({ code: z.literal('sessionNumbered'), number: z.int() }),
  z.object({ code: z.enum(['popupStorm', 'popupNoRoom', 'popupNoRoomHere', 'questionsFull']), limit: z.int() }),
  z.object({ code: z.enum(['socketsOfName', 'socketsOfKey', 'socketsOfServer', 'sessionsOfKey', 'sessionsOfServer', 'tabsOfSession', 'tabsOfServer', 'chromesOfKey', 'chromesOfServer', 'memoryOfSession', 'memoryOfServer']), used: z.int(), limit: z.int() }),
  z.object({ code: z.enum(['socketsCure', 'sessionsCure', 'tabsCure', 'chromesCure', 'memoryCure']), setting: words }),
  z.object({ code: z.literal('fileTooLarge'), limit: z.int() }),
  z.object({ code: z.literal('serverGaveNoReason'), status: z.int() }),
  z.object({ code: z.enum(['noChromeAt', 'notDevtools']), origin: words, tried: words }),
  z.object({ code: z.literal('notCdpAddress'), address: words }),
  z.object({ code: z.literal('chromeNotStarted'), path: words, output: words }),
]);
export type Said = z.infer<typeof saidSchema>;
export type SaidCode = Said['code'];

/** In views and stored rows: what a newer server says in words unknown here still has its text. */
export const maybeSaidSchema = saidSchema.optional().catch(undefined);
