import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;

/** Pages of a site in memory, ranked by BM25 under the settings of one `LuceneSettings` (peer-messages.ts). */
final class PageRanking {
  private static final List<String> FIELDS = List.of("title", "headings", "content");

  private final JsonNode settings;
  private final Analyzer analyzer;
  private final BM25Similarity similarity;

  PageRanking(JsonNode settings) {
    this.settings = settings;
    analyzer =
        settings.get("analysis").asText().equals("identifiers") ? new IdentifierAnalyzer() : new EnglishAnalyzer();
    similarity = new BM25Similarity(number("k1"), number("b"));
  }

  /** Ids of the best `places` pages of each query, best first. */
  ArrayNode rank(JsonNode pages, JsonNode queries, int places) throws IOException {
    ArrayNode rankings = new ObjectMapper().createArrayNode();
    try (var directory = new ByteBuffersDirectory()) {
      write(pages, directory);
      try (var reader = DirectoryReader.open(directory)) {
        var searcher = new IndexSearcher(reader);
        searcher.setSimilarity(similarity);
        for (JsonNode query : queries) {
          ArrayNode ids = rankings.addArray();
          for (ScoreDoc hit : searcher.search(queryOf(query.asText()), places).scoreDocs) {
            ids.add(searcher.storedFields().document(hit.doc).get("id"));
          }
        }
      }
    }
    return rankings;
  }

  private void write(JsonNode pages, ByteBuffersDirectory directory) throws IOException {
    try (var writer = new IndexWriter(directory, new IndexWriterConfig(analyzer).setSimilarity(similarity))) {
      for (JsonNode page : pages) {
        var document = new Document();
        document.add(new StringField("id", page.get("id").asText(), Field.Store.YES));
        for (String field : FIELDS) document.add(new TextField(field, page.get(field).asText(), Field.Store.NO));
        writer.addDocument(document);
      }
    }
  }

  /** Any word matches; pages where all stand together gain. */
  private Query queryOf(String text) throws IOException {
    List<List<String>> positions = Terms.of(analyzer, text);
    var query = new BooleanQuery.Builder();
    for (List<String> terms : positions) {
      for (String term : terms) query.add(inFields((field) -> new TermQuery(new Term(field, term))), Occur.SHOULD);
    }
    float phrase = number("phrase");
    if (phrase > 0 && positions.size() > 1) {
      query.add(new BoostQuery(inFields((field) -> phraseOf(field, positions)), phrase), Occur.SHOULD);
    }
    return query.build();
  }

  private Query phraseOf(String field, List<List<String>> positions) {
    var phrase = new MultiPhraseQuery.Builder().setSlop(settings.get("slop").asInt());
    for (List<String> terms : positions) {
      phrase.add(terms.stream().map((term) -> new Term(field, term)).toArray(Term[]::new));
    }
    return phrase.build();
  }

  /** The best field counts whole, the others as much as `tie` says. */
  private Query inFields(Function<String, Query> inField) {
    var queries = new ArrayList<Query>();
    for (String field : FIELDS) {
      queries.add(new BoostQuery(inField.apply(field), settings.get("weights").get(field).floatValue()));
    }
    return new DisjunctionMaxQuery(queries, number("tie"));
  }

  private float number(String name) {
    return settings.get(name).floatValue();
  }
}
