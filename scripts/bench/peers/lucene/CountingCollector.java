import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TopDocsCollector;

/** Collects the best documents and counts the three facets over all that match. */
final class CountingCollector implements Collector {
  private static final int VALUES = 20;

  private final TopDocsCollector<?> best;
  private final FacetColumns columns;
  private final int[][] counts;

  CountingCollector(TopDocsCollector<?> best, FacetColumns columns) {
    this.best = best;
    this.columns = columns;
    counts = Arrays.stream(columns.sizes).mapToObj(int[]::new).toArray(int[][]::new);
  }

  @Override
  public LeafCollector getLeafCollector(LeafReaderContext segment) throws IOException {
    LeafCollector inner = best.getLeafCollector(segment);
    int[][] ordinals = columns.of(segment);
    int[] first = ordinals[0];
    int[] second = ordinals[1];
    int[] third = ordinals[2];
    return new LeafCollector() {
      @Override
      public void setScorer(Scorable scorer) throws IOException {
        inner.setScorer(scorer);
      }

      @Override
      public void collect(int document) throws IOException {
        counts[0][first[document]]++;
        counts[1][second[document]]++;
        counts[2][third[document]]++;
        inner.collect(document);
      }
    };
  }

  @Override
  public ScoreMode scoreMode() {
    return best.scoreMode();
  }

  /** The most frequent values of each facet. */
  int[][] topValues() {
    return Arrays.stream(counts).map(CountingCollector::mostFrequent).toArray(int[][]::new);
  }

  private static int[] mostFrequent(int[] counts) {
    return IntStream.range(0, counts.length)
        .filter((value) -> counts[value] > 0)
        .boxed()
        .sorted(Comparator.comparingInt((value) -> -counts[value]))
        .limit(VALUES)
        .mapToInt(Integer::intValue)
        .toArray();
  }
}
