import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.core.FlattenGraphFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.miscellaneous.RemoveDuplicatesTokenFilter;
import org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter;
import org.apache.lucene.analysis.standard.StandardTokenizer;

/** EnglishAnalyzer without stop words, and with identifiers both whole and in parts: `os.path`, `os`, `path`. */
final class IdentifierAnalyzer extends Analyzer {
  private static final int PARTS =
      WordDelimiterGraphFilter.PRESERVE_ORIGINAL
          | WordDelimiterGraphFilter.GENERATE_WORD_PARTS
          | WordDelimiterGraphFilter.GENERATE_NUMBER_PARTS
          | WordDelimiterGraphFilter.SPLIT_ON_CASE_CHANGE
          | WordDelimiterGraphFilter.STEM_ENGLISH_POSSESSIVE;

  @Override
  protected TokenStreamComponents createComponents(String field) {
    var words = new StandardTokenizer();
    TokenStream parts = new FlattenGraphFilter(new WordDelimiterGraphFilter(words, PARTS, null));
    TokenStream stems = new PorterStemFilter(new LowerCaseFilter(parts));
    return new TokenStreamComponents(words, new RemoveDuplicatesTokenFilter(stems));
  }
}
