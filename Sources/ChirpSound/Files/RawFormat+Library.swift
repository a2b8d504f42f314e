internal import CSndfile

extension RawFormat.Encoding {
    /// The libsndfile format of headerless samples.
    var libraryFormat: Int32 {
        let (subtype, endian) =
            switch self {
            case .u8: (SF_FORMAT_PCM_U8, SF_ENDIAN_FILE)
            case .s8: (SF_FORMAT_PCM_S8, SF_ENDIAN_FILE)
            case .s16le: (SF_FORMAT_PCM_16, SF_ENDIAN_LITTLE)
            case .s16be: (SF_FORMAT_PCM_16, SF_ENDIAN_BIG)
            case .s24le: (SF_FORMAT_PCM_24, SF_ENDIAN_LITTLE)
            case .s24be: (SF_FORMAT_PCM_24, SF_ENDIAN_BIG)
            case .s32le: (SF_FORMAT_PCM_32, SF_ENDIAN_LITTLE)
            case .s32be: (SF_FORMAT_PCM_32, SF_ENDIAN_BIG)
            case .f32le: (SF_FORMAT_FLOAT, SF_ENDIAN_LITTLE)
            case .f32be: (SF_FORMAT_FLOAT, SF_ENDIAN_BIG)
            case .f64le: (SF_FORMAT_DOUBLE, SF_ENDIAN_LITTLE)
            case .f64be: (SF_FORMAT_DOUBLE, SF_ENDIAN_BIG)
            case .ulaw: (SF_FORMAT_ULAW, SF_ENDIAN_FILE)
            case .alaw: (SF_FORMAT_ALAW, SF_ENDIAN_FILE)
            }
        return Int32(SF_FORMAT_RAW | subtype | endian)
    }
}
