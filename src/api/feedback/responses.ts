/** Contract: 6.1. */
export function resultFeedbackBody({ eventId, feedbackId }: { readonly eventId: string; readonly feedbackId: string }) {
  return { value: { eventId, feedbackId } };
}
