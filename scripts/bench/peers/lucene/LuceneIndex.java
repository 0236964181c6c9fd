import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoubleField;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryCachingPolicy;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TopDocsCollector;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.UsageTrackingQueryCachingPolicy;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;

/** An index of the generated documents, searched on the calling thread. */
final class LuceneIndex {
  private static final int TOP = 10;

  /** Porter's stems as the others; words that are frequent everywhere are indexed, too. */
  private static final Analyzer ANALYZER = new EnglishAnalyzer(CharArraySet.EMPTY_SET);

  private final IndexSearcher searcher;
  private final FacetColumns facets;
  private final BenchQueries queries = new BenchQueries(ANALYZER);

  private LuceneIndex(DirectoryReader reader) throws IOException {
    searcher = new IndexSearcher(reader);
    searcher.setQueryCachingPolicy(new FilterCaching());
    facets = new FacetColumns(reader);
  }

  static LuceneIndex open(Path directory) throws IOException {
    return new LuceneIndex(DirectoryReader.open(FSDirectory.open(directory)));
  }

  /** `atRest`: merged into one segment, else as Lucene's own policy leaves them. */
  static void build(Path corpus, Path directory, boolean atRest) throws IOException {
    var json = new ObjectMapper();
    var config = new IndexWriterConfig(ANALYZER).setMergeScheduler(new SerialMergeScheduler());
    try (var writer = new IndexWriter(FSDirectory.open(directory), config);
        BufferedReader lines = Files.newBufferedReader(corpus)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        writer.addDocument(documentOf(json.readTree(line)));
      }
      if (atRest) writer.forceMerge(1);
      writer.commit();
    }
  }

  private static Document documentOf(JsonNode source) {
    var document = new Document();
    document.add(new StringField("id", source.get("id").asText(), Field.Store.YES));
    for (String field : BenchQueries.FIELDS) {
      document.add(new TextField(field, source.get(field).asText(), Field.Store.NO));
    }
    for (String facet : FacetColumns.FACETS) {
      String value = source.get(facet).asText();
      document.add(new StringField(facet, value, Field.Store.NO));
      document.add(new SortedDocValuesField(facet, new BytesRef(value)));
    }
    document.add(new LongField("published", source.get("published").asLong(), Field.Store.NO));
    document.add(new DoubleField("price", source.get("price").asDouble(), Field.Store.NO));
    double latitude = source.get("latitude").asDouble();
    double longitude = source.get("longitude").asDouble();
    document.add(new LatLonPoint("place", latitude, longitude));
    document.add(new LatLonDocValuesField("place", latitude, longitude));
    return document;
  }

  /** The best ten, the exact total and three facets over all matches; gives the total. */
  long count(JsonNode source) throws IOException {
    Sort sort = queries.sortOf(source);
    TopDocsCollector<?> best =
        sort == null
            ? new TopScoreDocCollectorManager(TOP, Integer.MAX_VALUE).newCollector()
            : new TopFieldCollectorManager(sort, TOP, Integer.MAX_VALUE).newCollector();
    var counting = new CountingCollector(best, facets);
    searcher.search(queries.queryOf(source), counting);
    best.topDocs();
    counting.topValues();
    return best.getTotalHits();
  }

  /** The best ten, with matches counted up to 1,000: what Lucene does unasked. */
  long top(JsonNode source) throws IOException {
    Sort sort = queries.sortOf(source);
    Query query = queries.queryOf(source);
    return (sort == null ? searcher.search(query, TOP) : searcher.search(query, TOP, sort)).totalHits.value();
  }

  /** Lucene's policy for filters; patterns and typos are searched each time, as no visitor repeats forty queries. */
  private static final class FilterCaching implements QueryCachingPolicy {
    private final QueryCachingPolicy usual = new UsageTrackingQueryCachingPolicy();

    @Override
    public void onUse(Query query) {
      usual.onUse(query);
    }

    @Override
    public boolean shouldCache(Query query) throws IOException {
      return !(query instanceof PrefixQuery) && !(query instanceof FuzzyQuery) && usual.shouldCache(query);
    }
  }
}
