import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * Lucene as an engine of the benchmark and of the evaluations of relevance: requests as lines of JSON on standard input, answers on standard output, with
 * the messages of scripts/bench/search/peer-messages.ts. CPU of building is that of the whole process; CPU of searches is
 * that of the searching thread and of collecting garbage, without the compiler, which a server at work is done with.
 * The first argument: `counted` does what every engine does (exact total, three facets), `top` only what Lucene does
 * unasked (the best ten, counting matches up to 1,000).
 */
public final class LucenePeer {
  /** A class runs this long unmeasured at first: the compiler is done with it afterwards. */
  private static final long WARM_UP_MS = 3_000;
  /** A class runs at least this long, as in the other engines' processes. */
  private static final long LEAST_MS = 400;

  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final ObjectMapper json = new ObjectMapper();
  private final boolean counted;
  private final Set<String> warm = new HashSet<>();
  private LuceneIndex index;

  private LucenePeer(boolean counted) {
    this.counted = counted;
  }

  public static void main(String[] arguments) throws IOException {
    new LucenePeer(arguments[0].equals("counted")).serve();
  }

  private void serve() throws IOException {
    var requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    var answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    answers.println(answer("ready"));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      answers.println(answerTo(json.readTree(line)));
    }
  }

  private ObjectNode answerTo(JsonNode request) {
    try {
      return switch (request.get("kind").asText()) {
        case "build" -> measured("built", () -> {
          var directory = directoryOf(request);
          boolean atRest = request.get("atRest").asBoolean();
          LuceneIndex.build(Path.of(request.get("corpus").asText()), directory, atRest);
          index = LuceneIndex.open(directory);
        });
        case "open" -> measured("opened", () -> index = LuceneIndex.open(directoryOf(request)));
        case "run" -> run(request);
        case "rank" -> rank(request);
        default -> answer("cannot");
      };
    } catch (IOException | RuntimeException error) {
      return answer("failed").put("reason", error.toString());
    }
  }

  private static Path directoryOf(JsonNode request) {
    return Path.of(request.get("directory").asText());
  }

  private interface Work {
    void run() throws IOException;
  }

  private ObjectNode measured(String kind, Work work) throws IOException {
    long startedAt = System.nanoTime();
    long cpuBefore = PROCESS.getProcessCpuTime();
    work.run();
    double cpuMs = (PROCESS.getProcessCpuTime() - cpuBefore) / 1e6;
    return answer(kind).put("cpuMs", cpuMs).put("wallMs", (System.nanoTime() - startedAt) / 1e6).put("rss", 0);
  }

  /** CPU is one figure for all queries: the mean. */
  private ObjectNode run(JsonNode request) throws IOException {
    JsonNode queries = request.get("queries");
    if (warm.add(request.get("className").asText())) repeat(queries, WARM_UP_MS, WARM_UP_MS, json.createArrayNode());
    ArrayNode totals = json.createArrayNode();
    double cpuBefore = searchingMs();
    repeat(queries, LEAST_MS, request.get("budgetMs").asLong(), totals);
    ObjectNode answer = answer("ran");
    answer.putArray("cpuMs").add((searchingMs() - cpuBefore) / totals.size());
    answer.set("totals", totals);
    return answer;
  }

  /** CPU of this thread, and what the serial collector took, which runs on a thread of its own. */
  private static double searchingMs() {
    long collecting =
        ManagementFactory.getGarbageCollectorMXBeans().stream().mapToLong(GarbageCollectorMXBean::getCollectionTime).sum();
    return THREADS.getCurrentThreadCpuTime() / 1e6 + collecting;
  }

  private void repeat(JsonNode queries, long leastMs, long budgetMs, ArrayNode totals) throws IOException {
    long startedAt = System.nanoTime();
    for (int i = 0; ; i++) {
      long elapsedMs = (System.nanoTime() - startedAt) / 1_000_000;
      if ((i >= queries.size() && elapsedMs >= leastMs) || elapsedMs > budgetMs) return;
      JsonNode query = queries.get(i % queries.size());
      totals.add(counted ? index.count(query) : index.top(query));
    }
  }

  /** By settings, then by query. */
  private ObjectNode rank(JsonNode request) throws IOException {
    ObjectNode answer = answer("ranked");
    ArrayNode rankings = answer.putArray("rankings");
    for (JsonNode settings : request.get("settings")) {
      var ranking = new PageRanking(settings);
      rankings.add(ranking.rank(request.get("pages"), request.get("queries"), request.get("places").asInt()));
    }
    return answer;
  }

  private ObjectNode answer(String kind) {
    return json.createObjectNode().put("kind", kind);
  }
}
