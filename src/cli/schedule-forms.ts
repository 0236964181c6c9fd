/** What commands say of the texts that a schedule takes. */
export const SCHEDULE_FORMS = `  A schedule is hourly, daily, weekly, every 6h (m, h or d; at least every 5m),
  five fields of cron, or manual:
    schedule.full=daily
    'schedule.incremental=30 2 * * 6'    Saturdays at 2:30`;
